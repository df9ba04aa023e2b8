from __future__ import annotations

from dataclasses import replace

from ragstone.retrieval import HybridRetriever
from ragstone.types import Chunk, ChunkKind, DocumentRecord, DocumentStatus, EmbeddedChunk, Filter, FilterOp, Query
from tests.support.builders import CHUNK, chunk
from tests.support.fake_embedder import FakeEmbedder
from tests.support.fake_index import FakeIndex
from tests.support.fake_registry import FakeRegistry

TEXT = "The night ferry costs four tallies."
CHUNKS = (
    chunk(TEXT, kind=ChunkKind.PARENT),
    chunk(TEXT, ordinal=1, parent=0, fragment=0),
    chunk(TEXT, ordinal=2, is_back_matter=True),
    chunk(TEXT, ordinal=3, kind=ChunkKind.TABLE, source="fares.md"),
)


def retriever(*chunks: Chunk) -> HybridRetriever:
    embedder, index, registry = FakeEmbedder(), FakeIndex(), FakeRegistry()
    index.add([EmbeddedChunk(each, embedder.embed_query(each.search_text)) for each in chunks])
    record = DocumentRecord(CHUNK.document_id, "b", "k", "1", DocumentStatus.INDEXED, version=CHUNK.version)
    registry.records[CHUNK.document_id] = record
    return HybridRetriever(embedder=embedder, index=index, registry=registry, depth=50, lexical_weight=0.5)


def ordinals(made: HybridRetriever, *filters: Filter) -> set[int]:
    found = made.retrieve(Query("the night ferry", filters=filters))
    for passage in found.pool:
        assert (passage.lexical_rank is not None, passage.dense_rank is not None) == (True, True)
    return {passage.chunk.ordinal for passage in found.pool}


def test_parents_and_back_matter_are_in_neither_leg() -> None:
    assert ordinals(retriever(*CHUNKS)) == {1, 3}


def test_back_matter_is_searched_where_it_is_to_be() -> None:
    assert ordinals(replace(retriever(*CHUNKS), search_back_matter=True)) == {1, 2, 3}


def test_the_query_s_own_filters_hold_as_well() -> None:
    assert ordinals(retriever(*CHUNKS), Filter("source", FilterOp.EQ, "fares.md")) == {3}


def test_many_parents_do_not_crowd_out_a_fragment() -> None:
    parents = [chunk(f"{TEXT} {n}", ordinal=n, kind=ChunkKind.PARENT) for n in range(100, 300)]
    assert ordinals(retriever(*parents, CHUNKS[1])) == {1}
