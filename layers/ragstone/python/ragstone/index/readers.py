"""Reading an index back, chunk by chunk, whichever embedder its vectors are from."""

# pyright: reportUnknownVariableType=false, reportUnknownMemberType=false, reportUnknownArgumentType=false
# (lancedb's signatures are partly unknown)

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ragstone.index import queries, sql
from ragstone.index.codec import CHUNK_FIELDS, chunk_from_json
from ragstone.index.lance import translated
from ragstone.index.remote import RemoteIndex
from ragstone.types import Chunk

if TYPE_CHECKING:
    from opensearchpy import OpenSearch

_PAGE = 1_000


class OpenSearchReader:
    """The chunks of an index of an OpenSearch service, a page at a time."""

    def __init__(self, client: OpenSearch, *, name: str) -> None:
        self._remote = RemoteIndex(client, name)

    def chunks(self, document_id: str | None = None) -> Iterator[Chunk]:
        query: queries.Body = {"match_all": {}} if document_id is None else queries.of_document(document_id)
        return map(chunk_from_json, self._remote.documents(query, CHUNK_FIELDS))


class EmbeddedReader:
    """The chunks of an index on disk, a page at a time."""

    def __init__(self, path: Path, *, name: str) -> None:
        import lancedb

        self._database: Any = lancedb.connect(path)
        self._name = name

    def chunks(self, document_id: str | None = None) -> Iterator[Chunk]:
        try:
            table = self._database.open_table(self._name)
        except ValueError:  # it is not there
            return
        last = ""
        while rows := self._page(table, document_id, after=last):
            yield from (chunk_from_json(json.loads(row["chunk"])) for row in rows)
            last = rows[-1]["chunk_id"]

    def _page(self, table: Any, document_id: str | None, *, after: str) -> list[dict[str, Any]]:
        from lancedb.query import ColumnOrdering

        where = sql.after(after, document_id)
        with translated(f"read index {self._name!r}"):
            found = table.search().where(where).order_by([ColumnOrdering(column_name="chunk_id")])
            return found.select(["chunk_id", "chunk"]).limit(_PAGE).to_list()
