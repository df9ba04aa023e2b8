"""One LanceDB table that several processes write: commits tried again, upkeep when searches would feel its lack."""

# pyright: reportMissingTypeStubs=false, reportUnknownVariableType=false, reportUnknownMemberType=false
# pyright: reportUnknownArgumentType=false, reportUnknownLambdaType=false
# (pyarrow has no types, and so lancedb's signatures are partly unknown)

from __future__ import annotations

import random
import time
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from datetime import timedelta
from pathlib import Path
from typing import Any

from ragstone.errors import PermanentError, TransientError

Rows = list[dict[str, Any]]

_ATTEMPTS = 8
_TEXT_INDEX, _VECTOR_INDEX = "search_tokens_idx", "vector_idx"
_KEEP_VERSIONS = timedelta(minutes=10)
# Measured on two cores with chunks of 120 words: each 1,000 rows that the text index lacks add 15 ms to a search;
# compacting the table and renewing that index takes 0.06 s per 1,000 rows in all.
_FRESH_ROWS, _FRESH_SHARE, _FRAGMENTS = 2_000, 0.1, 100


class LanceTable:
    """A table of chunks by name in a folder; reads see the latest commit, and a missing table is an empty one."""

    def __init__(self, path: Path, name: str, *, dimensions: int, exact_rows: int) -> None:
        import lancedb

        self._database: Any = lancedb.connect(path, read_consistency_interval=timedelta(0))
        self._dimensions = dimensions
        self._exact_rows = exact_rows
        self.name = name

    def meta(self) -> dict[str, str] | None:
        """What the table says of itself; None if it is not there."""
        table = self._open()
        if table is None:
            return None
        return {key.decode(): value.decode() for key, value in (table.schema.metadata or {}).items()}

    def create(self, meta: Mapping[str, Any]) -> None:
        """Create the table and its text index unless another process is faster."""
        with suppress(ValueError):  # it is there
            self._database.create_table(self.name, schema=self._schema(meta))
        self._index_text(self._existing())

    def drop(self) -> None:
        with self._translated("delete"):
            self._database.drop_table(self.name, ignore_missing=True)

    def upsert(self, rows: Rows) -> None:
        import pyarrow as pa

        table = self._existing()
        data = pa.Table.from_pylist(rows, schema=table.schema)
        merge = table.merge_insert("chunk_id").when_matched_update_all().when_not_matched_insert_all()
        self._commit("write to", lambda: merge.execute(data))
        self._maintain(table)

    def delete(self, where: str) -> None:
        table = self._open()
        if table is not None:
            self._commit("remove from", lambda: table.delete(where))

    def count(self, where: str | None) -> int:
        table = self._open()
        if table is None:
            return 0
        with self._translated("count in"):
            return table.count_rows(where)

    def lexical(self, tokens: str, where: str, limit: int) -> Rows:
        """The best rows by BM25, which they carry as `_score`; rows that the text index lacks are scored as well."""
        from lancedb.query import MatchQuery

        query: Any = MatchQuery(tokens, "search_tokens")  # pyright: ignore[reportCallIssue]
        return self._found("_score", where, limit, lambda table: table.search(query))

    def dense(self, vector: Sequence[float], where: str, limit: int) -> Rows:
        """The nearest rows, which carry 1 - cosine as `_distance`."""
        options = {"query": list(vector), "vector_column_name": "vector"}
        return self._found("_distance", where, limit, lambda table: table.search(**options).distance_type("cosine"))

    def _found(self, score: str, where: str, limit: int, search: Callable[[Any], Any]) -> Rows:
        table = self._open()
        if table is None:
            return []
        with self._translated("search"):
            return search(table).where(where).select(["chunk", score]).limit(limit).to_list()

    def _open(self) -> Any | None:
        with suppress(ValueError):  # it is not there
            return self._database.open_table(self.name)

    def _existing(self) -> Any:
        with self._translated("open"):
            return self._database.open_table(self.name)

    def _schema(self, meta: Mapping[str, Any]) -> Any:
        import pyarrow as pa

        texts = ("chunk_id", "document_id", "version", "facts", "search_tokens", "chunk")
        columns = {name: pa.string() for name in texts}
        columns |= {"acl": pa.list_(pa.string()), "vector": pa.list_(pa.float32(), self._dimensions)}
        return pa.schema(columns, metadata={name: str(value) for name, value in meta.items()})

    def _index_text(self, table: Any) -> None:
        from lancedb.index import FTS

        as_they_are: dict[str, Any] = {"lower_case": False, "ascii_folding": False, "stem": False}
        analyzer = FTS(base_tokenizer="whitespace", max_token_length=255, remove_stop_words=False, **as_they_are)
        self._commit("create", lambda: table.create_index("search_tokens", config=analyzer, name=_TEXT_INDEX))

    def _maintain(self, table: Any) -> None:
        from lancedb.index import HnswFlat

        statistics, rows = table.index_stats(_TEXT_INDEX), table.count_rows()
        if statistics is None:  # whoever created the table has not come that far, and may never
            self._index_text(table)
            return
        with suppress(RuntimeError):  # another process did it, or wrote meanwhile; the next write looks again
            fresh, fragments = statistics.num_unindexed_rows, table.stats()["fragment_stats"]["num_small_fragments"]
            if fresh > max(_FRESH_ROWS, _FRESH_SHARE * rows) or fragments > _FRAGMENTS:
                table.optimize(cleanup_older_than=_KEEP_VERSIONS)
            if rows > self._exact_rows and table.index_stats(_VECTOR_INDEX) is None:
                graph = HnswFlat(distance_type="cosine", num_partitions=1)
                table.create_index("vector", config=graph, name=_VECTOR_INDEX)

    def _commit(self, action: str, write: Callable[[], object]) -> None:
        """Run an idempotent write, again if another process's commit got in its way."""
        for attempt in range(1, _ATTEMPTS + 1):
            try:
                with self._translated(action):
                    write()
                return
            except TransientError:
                if attempt == _ATTEMPTS:
                    raise
            time.sleep(random.uniform(0.0, 0.05 * 2**attempt))  # noqa: S311

    def _translated(self, action: str) -> AbstractContextManager[None]:
        return translated(f"{action} index {self.name!r}")


@contextmanager
def translated(action: str) -> Generator[None]:
    """Turn LanceDB's errors into TransientError or PermanentError that say what could not be done."""
    try:
        yield
    except (OSError, RuntimeError) as error:
        raise TransientError(f"could not {action}: {error}") from error
    except ValueError as error:
        raise PermanentError(f"could not {action}: {error}") from error
