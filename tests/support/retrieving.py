"""A retriever over any index, with a registry that knows the documents of its chunks."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from ragstone.ports import ChatModel, ChunkIndex, ChunkReader, Embedder, Reranker
from ragstone.retrieval import Candidates, StagedRetriever, Tools, staged_retriever
from ragstone.settings import Settings
from ragstone.types import Chunk, DocumentRecord, DocumentStatus, EmbeddedChunk, Evidence, Reranking
from tests.support.fake_embedder import FakeEmbedder
from tests.support.fake_index import FakeIndex
from tests.support.fake_registry import FakeRegistry


class Library:
    """Chunks in an index, each document's newest version current and readable as its chunks are."""

    def __init__(
        self,
        *chunks: Chunk,
        index: ChunkIndex | None = None,
        reader: ChunkReader | None = None,
        embedder: Embedder | None = None,
    ) -> None:
        fake = FakeIndex()
        self.embedder = embedder or FakeEmbedder()
        self.index = index or fake
        self.reader = reader or fake
        self.registry = FakeRegistry()
        self.add(*chunks)

    def add(self, *chunks: Chunk) -> None:
        vectors = self.embedder.embed_documents([each.search_text for each in chunks])
        self.index.add([EmbeddedChunk(each, vector) for each, vector in zip(chunks, vectors, strict=True)])
        for each in chunks:
            record = DocumentRecord(
                each.document_id, "b", each.source, "1", DocumentStatus.INDEXED, version=each.version, acl=each.acl
            )
            self.registry.records[each.document_id] = record

    def forbid(self, document_id: str, *groups: str) -> None:
        """Tighten the registry's list; the index still has the old one."""
        record = self.registry.records[document_id]
        self.registry.records[document_id] = replace(record, acl=groups)

    def retriever(
        self,
        *,
        model: ChatModel | None = None,
        rerankers: Mapping[str, Reranker] | None = None,
        lexical_weight: float = 0.5,
        **settings: Any,
    ) -> StagedRetriever:
        given = Settings.model_validate({"index_url": "-", **settings})
        tools = Tools(
            candidates=Candidates(
                embedder=self.embedder,
                index=self.index,
                registry=self.registry,
                depth=given.candidate_depth,
                search_back_matter=given.search_back_matter,
            ),
            reader=self.reader,
            model=lambda: model,
            lexical_weight=lexical_weight,
        )
        made = rerankers or {}
        return staged_retriever(given, tools, lambda spec, *, seconds: made[spec])


class ScriptedReranker:
    """Scores texts by a function, or raises."""

    def __init__(self, score: Callable[[str], float] | Exception, *, spec: str = "scripted:ranker") -> None:
        self.spec = spec
        self.asked: list[list[str]] = []
        self._score = score

    def rerank(self, question: str, texts: Sequence[str]) -> Reranking:
        self.asked.append(list(texts))
        if isinstance(self._score, Exception):
            raise self._score
        return Reranking(tuple(map(self._score, texts)))


def texts(found: Evidence) -> list[str]:
    return [passage.chunk.text for passage in found.passages]


def ordinals(found: Evidence) -> list[int]:
    return [passage.chunk.ordinal for passage in found.passages]
