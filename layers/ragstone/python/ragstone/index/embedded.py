"""The chunk index on disk, in this process: LanceDB, for a laptop, tests and evaluation runs."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from itertools import islice
from pathlib import Path
from typing import Any

from ragstone.analysis import document_tokens, query_tokens
from ragstone.index import sql
from ragstone.index.codec import chunk_from_json, chunk_to_json, description, ranked, require_same, require_unit
from ragstone.index.facts import facts
from ragstone.index.lance import LanceTable
from ragstone.types import EmbeddedChunk, Hit, Legs, SearchRequest

LONE_SURROGATE = re.compile("[\ud800-\udfff]")

# Exact search of 256 floats takes 1 ms per 1,000 rows, building a graph 0.7 s per 1,000.
EXACT_ROWS = 100_000

ROWS_AT_ONCE = 1_000


class EmbeddedIndex:
    """One row a chunk under the chunk's id; the table's schema remembers whose vectors it holds.

    Vectors are compared one by one up to `exact_rows` chunks and through an HNSW graph beyond.
    """

    def __init__(
        self, path: Path, *, name: str, embedder_spec: str, dimensions: int, exact_rows: int = EXACT_ROWS
    ) -> None:
        self._table = LanceTable(path, name, dimensions=dimensions, exact_rows=exact_rows)
        self._meta = description(embedder_spec, dimensions)
        self._dimensions = dimensions

    def ensure(self) -> None:
        found = self._table.meta()
        if found is None:
            self._table.create(self._meta)
            found = self._table.meta() or {}
        require_same(self._table.name, found, self._meta)

    def add(self, chunks: Iterable[EmbeddedChunk]) -> None:
        self.ensure()
        coming = iter(chunks)
        while rows := {row["chunk_id"]: row for row in map(self._row, islice(coming, ROWS_AT_ONCE))}:
            self._table.upsert(list(rows.values()))

    def remove(self, document_id: str, *, version: str | None = None, keep: str | None = None) -> None:
        self._table.delete(sql.of_document(document_id, version=version, keep=keep))

    def search(self, request: SearchRequest) -> Legs:
        where = sql.restrictions(request)
        return Legs(
            _with_all_ties(lambda limit: self._lexical(request, where, limit), request.depth),
            _with_all_ties(lambda limit: self._dense(request, where, limit), request.depth),
        )

    def count(self, document_id: str | None = None) -> int:
        return self._table.count(None if document_id is None else sql.of_document(document_id))

    def drop(self) -> None:
        self._table.drop()

    def _row(self, embedded: EmbeddedChunk) -> dict[str, Any]:
        require_unit(embedded, self._dimensions)
        chunk = embedded.chunk
        return {
            "chunk_id": chunk.chunk_id,
            "document_id": chunk.document_id,
            "version": chunk.version,
            "facts": sql.joined(facts(chunk)),
            "search_tokens": " ".join(document_tokens(chunk.search_text, chunk.language)),
            "chunk": _json(chunk_to_json(chunk)),
            "acl": list(chunk.acl),
            "vector": [float(value) for value in embedded.vector],
        }

    def _lexical(self, request: SearchRequest, where: str, limit: int) -> list[Hit]:
        tokens = " ".join(query_tokens(request.text))
        return [_hit(row, row["_score"]) for row in self._table.lexical(tokens, where, limit)]

    def _dense(self, request: SearchRequest, where: str, limit: int) -> list[Hit]:
        return [_hit(row, 1.0 - row["_distance"]) for row in self._table.dense(request.vector, where, limit)]


def _json(document: dict[str, Any]) -> str:
    """As short as it can be; escaped if there are lone surrogates, which no column takes."""
    short = json.dumps(document, ensure_ascii=False)
    return json.dumps(document) if LONE_SURROGATE.search(short) else short


def _hit(row: dict[str, Any], score: float) -> Hit:
    return Hit(chunk_from_json(json.loads(row["chunk"])), score)


def _with_all_ties(fetch: Callable[[int], list[Hit]], depth: int) -> tuple[Hit, ...]:
    """The best `depth` hits; fetches on while equal scores straddle the edge, so that ids decide there, not chance."""
    limit = depth + 1
    while True:
        hits = ranked(fetch(limit), limit)
        if len(hits) < limit or hits[-1].score < hits[depth - 1].score:
            return hits[:depth]
        limit *= 2
