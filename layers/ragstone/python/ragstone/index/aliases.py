"""Names that stay while indexes come and go: OpenSearch's aliases."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ragstone.index.failures import translated
from ragstone.types import Generations

if TYPE_CHECKING:
    from opensearchpy import OpenSearch


class OpenSearchAliases:
    """`<name>-read` is the live index, `<name>-write` all that are written, of which it writes to the live one."""

    def __init__(self, client: OpenSearch, *, name: str) -> None:
        self._client: Any = client  # its decorators hide the query parameters from type checkers
        self._name, self._read, self._write = name, f"{name}-read", f"{name}-write"

    def point(self, generations: Generations) -> None:
        live, written = generations.live.name, [generation.name for generation in generations.written]
        wanted = [{"index": live, "alias": self._read}]
        wanted += [{"index": name, "alias": self._write, "is_write_index": name == live} for name in written]
        with translated(f"point the aliases {self._read!r} and {self._write!r}"):
            kept = {(each["index"], each["alias"]) for each in wanted}
            gone = [{"index": index, "alias": alias} for index, alias in self._held() if (index, alias) not in kept]
            actions = [*({"remove": each} for each in gone), *({"add": each} for each in wanted)]
            self._client.indices.update_aliases(body={"actions": actions})

    def _held(self) -> list[tuple[str, str]]:
        """Which indexes have which of the two; asked by a pattern, as a name that isn't there is an error."""
        found = self._client.indices.get_alias(index=f"{self._name}*", name=f"{self._name}-*")
        ours = (self._read, self._write)
        return [(index, alias) for index, entry in found.items() for alias in entry["aliases"] if alias in ours]


class NoAliases:
    """For an index on disk, which has no other names."""

    def point(self, generations: Generations) -> None:
        pass
