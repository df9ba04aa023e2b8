from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from ragstone.ports import ChunkIndex
from ragstone.types import Chunk, ChunkKind, Filter, FilterOp, Legs, Query, SearchRequest
from tests.support.builders import chunk
from tests.support.fake_index import FakeIndex
from tests.support.retrieving import Library

TEXT = "The night ferry costs four tallies."
CHUNKS = (
    chunk(TEXT, kind=ChunkKind.PARENT),
    chunk(TEXT, ordinal=1, parent=0, fragment=0),
    chunk(TEXT, ordinal=2, is_back_matter=True),
    chunk(f"{TEXT} On Sundays 6.", ordinal=3, kind=ChunkKind.TABLE, source="fares.md"),
)


def pool(library: Library, *filters: Filter, **settings: Any) -> set[int]:
    found = library.retriever(**settings).retrieve(Query("the night ferry", filters=filters))
    for passage in found.pool:
        assert (passage.lexical_rank is not None, passage.dense_rank is not None) == (True, True)
    return {passage.chunk.ordinal for passage in found.pool}


def test_parents_and_back_matter_are_in_neither_leg() -> None:
    assert pool(Library(*CHUNKS)) == {1, 3}


def test_back_matter_is_searched_where_it_is_to_be() -> None:
    assert pool(Library(*CHUNKS), search_back_matter=True) == {1, 2, 3}


def test_the_query_s_own_filters_hold_as_well() -> None:
    assert pool(Library(*CHUNKS), Filter("source", FilterOp.EQ, "fares.md")) == {3}


def test_many_parents_do_not_crowd_out_a_fragment() -> None:
    parents = [chunk(f"{TEXT} {n}", ordinal=n, kind=ChunkKind.PARENT) for n in range(100, 300)]
    assert pool(Library(*parents, CHUNKS[1])) == {1}


@dataclass
class CountingIndex:
    """Notes the depth of each search."""

    inner: ChunkIndex
    depths: list[int]

    def search(self, request: SearchRequest) -> Legs:
        self.depths.append(request.depth)
        return self.inner.search(request)


def stale(count: int) -> list[Chunk]:
    return [chunk(TEXT, ordinal=n, document_id=f"old-{n}", version="v0") for n in range(count)]


def with_stale_chunks(count: int) -> tuple[Library, CountingIndex]:
    library = Library(*stale(count), chunk(f"{TEXT} Today.", ordinal=0))
    for document_id, record in list(library.registry.records.items()):
        if document_id.startswith("old-"):
            library.registry.records[document_id] = replace(record, version="v1")
    assert isinstance(library.index, FakeIndex)
    counting = CountingIndex(library.index, [])
    library.index = counting  # pyright: ignore[reportAttributeAccessIssue] - only searched
    return library, counting


def test_places_that_stale_chunks_take_are_made_up_for() -> None:
    library, counting = with_stale_chunks(30)
    found = library.retriever(candidate_depth=10).retrieve(Query("night ferry"))
    assert [passage.chunk.text for passage in found.passages] == [f"{TEXT} Today."]
    assert counting.depths == [10, 40]


def test_a_search_without_stale_chunks_is_made_once() -> None:
    library, counting = with_stale_chunks(0)
    library.retriever(candidate_depth=10).retrieve(Query("night ferry"))
    assert counting.depths == [10]


def test_a_search_among_nothing_but_stale_chunks_ends() -> None:
    library, counting = with_stale_chunks(400)
    assert not library.retriever(candidate_depth=10).retrieve(Query("night ferry")).passages
    assert counting.depths == [10, 40, 160]


def test_a_document_that_the_registry_keeps_from_the_caller_is_not_found() -> None:
    library = Library(*CHUNKS)
    library.forbid(CHUNKS[0].document_id, "crew")
    assert not library.retriever().retrieve(Query("night ferry")).pool
    assert library.retriever().retrieve(Query("night ferry", groups=("crew",))).pool
