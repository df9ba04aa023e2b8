"""The chunk index on OpenSearch: a managed domain, a Serverless NextGen collection, or any node with k-NN."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from ragstone.analysis import document_tokens
from ragstone.errors import TransientError
from ragstone.index import bulk, queries
from ragstone.index.codec import chunk_from_json, chunk_to_json, description, require_same, require_unit
from ragstone.index.facts import facts
from ragstone.index.profiles import Profile, Visibility, index_body
from ragstone.index.remote import RemoteIndex
from ragstone.types import Chunk, EmbeddedChunk, Hit, Legs, SearchRequest

if TYPE_CHECKING:
    from opensearchpy import OpenSearch

# Lucene leaves the constant k1 + 1 (k1 is 1.2) out of Okapi BM25 (Robertson and Zaragoza 2009).
_BM25_FACTOR = 2.2
# How the k-NN plugin turns a similarity into a positive score, undone.
_COSINE: Mapping[str, Callable[[float], float]] = {
    "innerproduct": lambda score: score - 1.0 if score >= 1.0 else 1.0 - 1.0 / score,
    "cosinesimil": lambda score: 2.0 * score - 1.0,
}


class OpenSearchIndex:
    """One flat document a chunk under the chunk's id; the index's `_meta` remembers whose vectors it holds."""

    def __init__(
        self,
        client: OpenSearch,
        *,
        name: str,
        embedder_spec: str,
        dimensions: int,
        profile: Profile,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._remote = RemoteIndex(client, name)
        self._meta = description(embedder_spec, dimensions)
        self._dimensions = dimensions
        self._profile = profile
        self._while_busy = bulk.Patience(attempts=7, first_s=0.5, longest_s=10.0, sleep=sleep)
        self._while_unseen = bulk.Patience(attempts=30, first_s=1.0, longest_s=3.0, sleep=sleep)

    def ensure(self) -> None:
        found = self._remote.meta()
        if found is None:
            self._remote.create(index_body(self._profile, meta=self._meta))
            found = self._meta_once_shown()
        require_same(self._remote.name, found, self._meta)

    def add(self, chunks: Iterable[EmbeddedChunk]) -> None:
        self.ensure()
        write_id = uuid4().hex
        written = self._write(self._put(embedded, write_id) for embedded in chunks)
        if self._profile.visibility is Visibility.POLL and written:
            self._await(written, {"term": {"write_id": write_id}})

    def remove(self, document_id: str, *, version: str | None = None, keep: str | None = None) -> None:
        remove = self._remove_by_query if self._profile.deletes_by_query else self._remove_by_id
        for attempt in range(self._while_unseen.attempts):
            if remove(queries.of_document(document_id, version=version, keep=keep)):
                return
            self._while_unseen.pause(attempt)
        raise TransientError(f"chunks of document {document_id} are still in index {self._remote.name!r}")

    def search(self, request: SearchRequest) -> Legs:
        lexical, dense = self._remote.search(
            queries.lexical(request), queries.dense(request), shards=self._profile.shards
        )
        cosine = _COSINE[self._profile.space]
        known: dict[str, Chunk] = {}
        return Legs(
            tuple(_hit(found, found["_score"] * _BM25_FACTOR, known) for found in lexical),
            tuple(_hit(found, cosine(found["_score"]), known) for found in dense),
        )

    def count(self, document_id: str | None = None) -> int:
        return self._remote.count({"match_all": {}} if document_id is None else queries.of_document(document_id))

    def drop(self) -> None:
        self._remote.drop()

    def _meta_once_shown(self) -> Mapping[str, Any]:
        """A collection shows a new index after seconds."""
        for attempt in range(self._while_unseen.attempts):
            if (found := self._remote.meta()) is not None:
                return found
            self._while_unseen.pause(attempt)
        raise TransientError(f"index {self._remote.name!r} was made but does not show yet")

    def _put(self, embedded: EmbeddedChunk, write_id: str) -> bulk.Action:
        require_unit(embedded, self._dimensions)
        return bulk.put(embedded.chunk.chunk_id, _document(embedded.chunk, write_id), embedded.vector)

    def _write(self, actions: Iterable[bulk.Action]) -> int:
        return bulk.write(
            self._remote.client,
            self._remote.name,
            actions,
            refresh=self._profile.visibility.value,
            patience=self._while_busy,
        )

    def _await(self, wanted: int, query: queries.Body) -> None:
        for attempt in range(self._while_unseen.attempts):
            if self._remote.count(query) == wanted:
                return
            self._while_unseen.pause(attempt)
        raise TransientError(f"index {self._remote.name!r} took {wanted} chunks but does not show them yet")

    def _remove_by_query(self, query: queries.Body) -> bool:
        return self._remote.delete(query) == 0

    def _remove_by_id(self, query: queries.Body) -> bool:
        """Delete what searches still show; True once they show nothing."""
        found = [bulk.delete(chunk_id) for chunk_id in self._remote.ids(query)]
        if found:
            self._write(found)
        return not found


def _document(chunk: Chunk, write_id: str) -> dict[str, Any]:
    return chunk_to_json(chunk) | {
        "chunk_id": chunk.chunk_id,
        "search_tokens": " ".join(document_tokens(chunk.search_text, chunk.language)),
        "facts": facts(chunk),
        "write_id": write_id,
    }


def _hit(found: Mapping[str, Any], score: float, known: dict[str, Chunk]) -> Hit:
    """A chunk that both legs found is read once."""
    chunk_id = found["_id"]
    if chunk_id not in known:
        known[chunk_id] = chunk_from_json(found["_source"])
    return Hit(known[chunk_id], score)
