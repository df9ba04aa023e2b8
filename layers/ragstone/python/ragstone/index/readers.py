"""Reading an index back, chunk by chunk, whichever embedder its vectors are from."""

# pyright: reportUnknownVariableType=false, reportUnknownMemberType=false, reportUnknownArgumentType=false
# (lancedb's signatures are partly unknown)

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ragstone.index import queries, sql
from ragstone.index.codec import CHUNK_FIELDS, chunk_from_json
from ragstone.index.lance import translated
from ragstone.index.remote import RemoteIndex
from ragstone.types import Chunk, Filter

if TYPE_CHECKING:
    from opensearchpy import OpenSearch

_PAGE = 1_000


class OpenSearchReader:
    """The chunks of an index of an OpenSearch service, a page at a time."""

    def __init__(self, client: OpenSearch, *, name: str) -> None:
        self._remote = RemoteIndex(client, name)

    def chunks(self, document_id: str | None = None, *, after: str = "") -> Iterator[Chunk]:
        query: queries.Body = {"match_all": {}} if document_id is None else queries.of_document(document_id)
        return map(chunk_from_json, self._remote.documents(query, CHUNK_FIELDS, after=after))

    def document_ids(self, *, after: str = "") -> Iterator[str]:
        return self._remote.values("document_id", after=after)

    def fetch(
        self, chunk_ids: Sequence[str], *, filters: Sequence[Filter] = (), groups: Sequence[str] = ()
    ) -> list[Chunk]:
        query = queries.of_ids(chunk_ids, filters=filters, groups=groups)
        body: queries.Body = {"size": _PAGE, "query": query, "sort": [{"chunk_id": "asc"}]}
        (hits,) = self._remote.search({**body, "_source": list(CHUNK_FIELDS)})
        return [chunk_from_json(hit["_source"]) for hit in hits]


class EmbeddedReader:
    """The chunks of an index on disk, a page at a time."""

    def __init__(self, path: Path, *, name: str) -> None:
        import lancedb

        self._database: Any = lancedb.connect(path)
        self._name = name

    def chunks(self, document_id: str | None = None, *, after: str = "") -> Iterator[Chunk]:
        table, last = self._table(), after
        while table is not None and (rows := self._page(table, sql.after(last, document_id))):
            yield from map(_chunk, rows)
            last = rows[-1]["chunk_id"]

    def document_ids(self, *, after: str = "") -> Iterator[str]:
        table, last = self._table(), after
        while table is not None and (rows := self._rows(table, sql.documents_after(last), "document_id")):
            found = list(dict.fromkeys(row["document_id"] for row in rows))
            yield from found
            last = found[-1]

    def fetch(
        self, chunk_ids: Sequence[str], *, filters: Sequence[Filter] = (), groups: Sequence[str] = ()
    ) -> list[Chunk]:
        table = self._table()
        if table is None or not chunk_ids:
            return []
        return list(map(_chunk, self._page(table, sql.of_ids(chunk_ids, filters=filters, groups=groups))))

    def _table(self) -> Any | None:
        with suppress(ValueError):  # it is not there
            return self._database.open_table(self._name)

    def _page(self, table: Any, where: str) -> list[dict[str, Any]]:
        return self._rows(table, where, "chunk_id", "chunk")

    def _rows(self, table: Any, where: str, order: str, *more: str) -> list[dict[str, Any]]:
        from lancedb.query import ColumnOrdering

        with translated(f"read index {self._name!r}"):
            found = table.search().where(where).order_by([ColumnOrdering(column_name=order)])
            return found.select([order, *more]).limit(_PAGE).to_list()


def _chunk(row: Mapping[str, Any]) -> Chunk:
    return chunk_from_json(json.loads(row["chunk"]))
