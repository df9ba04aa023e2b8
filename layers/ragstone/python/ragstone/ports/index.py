"""The index of chunks, and the generations of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Protocol

from ragstone.types import Chunk, EmbeddedChunk, Filter, Generations, Legs, SearchRequest


class ChunkIndex(Protocol):
    """Searches chunks by words and by vectors; a copy that the registry can always overrule."""

    def ensure(self) -> None:
        """Create the index unless it exists; raises IndexMismatch if it was made for another embedder."""
        ...

    def add(self, chunks: Iterable[EmbeddedChunk]) -> None:
        """Write chunks under their ids (a repeat overwrites) as they come; return once searches find them all."""
        ...

    def remove(self, document_id: str, *, version: str | None = None, keep: str | None = None) -> None:
        """Remove a document's chunks: all, only those of `version`, or all but those of `keep`."""
        ...

    def search(self, request: SearchRequest) -> Legs:
        """Run both legs in one round trip, filters and access inside each; an index that is not there finds nothing."""
        ...

    def count(self, document_id: str | None = None) -> int:
        """Chunks of one document, or of the whole index; 0 when the index is not there."""
        ...

    def drop(self) -> None:
        """Delete the index if it exists."""
        ...


class ChunkReader(Protocol):
    """Reads an index's chunks back, without searching."""

    def chunks(self, document_id: str | None = None, *, after: str = "") -> Iterator[Chunk]:
        """The chunks of one document, or of the whole index, by id, a batch at a time in memory.

        With `after` only those whose id comes after it: of one version, ids rise with the ordinals.
        """
        ...

    def document_ids(self, *, after: str = "") -> Iterator[str]:
        """Every document that has chunks, in order, from after the given one, a page at a time in memory."""
        ...

    def fetch(
        self, chunk_ids: Sequence[str], *, filters: Sequence[Filter] = (), groups: Sequence[str] = ()
    ) -> list[Chunk]:
        """Those of the given chunks that are there, pass all filters and that `groups` may read, by id.

        One read; at most 1,000 ids.
        """
        ...


class GenerationPointer(Protocol):
    """Says which generations a deployment has: one value, so that index and registry are swapped at once."""

    def read(self) -> Generations | None:
        """As the last write left it; None before the first."""
        ...

    def write(self, generations: Generations) -> bool:
        """Put it in the place of the revision before it. False: somebody else was faster, and nothing is written."""
        ...


class IndexAliases(Protocol):
    """Names under which people and dashboards find the generations' indexes; nothing in Ragstone rests on them."""

    def point(self, generations: Generations) -> None:
        """Let the read alias name the live index and the write alias all that are written, at once."""
        ...
