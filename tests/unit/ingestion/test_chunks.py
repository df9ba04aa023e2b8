from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import pytest

from ragstone.chunking import ChunkSpan, RecursiveChunker, SectionChunker
from ragstone.chunking.audit import audit
from ragstone.chunking.context import ContextWriter
from ragstone.chunking.filters import KEEP_ALL, ChunkFilters
from ragstone.ingestion import Chunking
from ragstone.types import Chunk, ChunkKind, ObjectRef, Page, ParsedDocument, Section, StoredObject
from tests.support.fake_store import FakeStore
from tests.unit.chunking.test_context import Writer

STORED = StoredObject(ObjectRef("bucket", "inbox/a/fares.md"), b"", "e", metadata={"year": 2026}, acl=("crew",))
FARES, INDEX = Section("Fares", 1, ("Fares",), 0, 5), Section("Index", 1, ("Index",), 5, 10)
DOCUMENT = ParsedDocument(
    text="abcdefghij",
    media_type="text/plain",
    parser="test",
    title="Leaflet",
    language="en",
    sections=(FARES, INDEX),
    pages=(Page(1, 0, 4), Page(2, 4, 10)),
)


@dataclass(frozen=True)
class Spans:
    """A chunker that cuts as it is told."""

    given: tuple[ChunkSpan, ...]
    fingerprint: str = "spans"

    def spans(self, document: ParsedDocument) -> Iterator[ChunkSpan]:
        return iter(self.given)


@dataclass(frozen=True)
class Dropping(ChunkFilters):
    """Filters that drop the spans at the given positions."""

    positions: tuple[int, ...] = field(kw_only=True)

    def mark(self, text: str, spans: object) -> list[ChunkSpan]:
        assert isinstance(spans, list)
        return [replace(span, is_dropped=number in self.positions) for number, span in enumerate(spans)]


FAMILY = (
    ChunkSpan(0, 1, FARES),
    ChunkSpan(1, 4, FARES, ChunkKind.PARENT),
    ChunkSpan(1, 2, FARES, parent=1),
    ChunkSpan(2, 3, FARES, parent=1),
    ChunkSpan(3, 4, FARES, parent=1),
    ChunkSpan(5, 9, INDEX, ChunkKind.PARENT),
    ChunkSpan(5, 7, INDEX, parent=5),
    ChunkSpan(7, 9, INDEX, parent=5),
)


def chunks_of(*spans: ChunkSpan, filters: ChunkFilters = KEEP_ALL, start: int = 0) -> tuple[Chunk, ...]:
    made = Chunking(chunker=Spans(spans), filters=filters).chunks_of(DOCUMENT, STORED, "v1", chunk_index_start=start)
    assert made.dropped == len(spans) - len(made.chunks)
    return made.chunks


def families(chunks: tuple[Chunk, ...]) -> list[tuple[int, int | None, int | None]]:
    return [(chunk.ordinal, chunk.parent, chunk.fragment) for chunk in chunks]


def test_a_chunk_knows_where_it_stands_and_whose_it_is() -> None:
    (chunk,) = chunks_of(ChunkSpan(2, 5, FARES, ChunkKind.TABLE))
    assert chunk == Chunk(
        document_id=STORED.object.document_id,
        version="v1",
        ordinal=0,
        source="a/fares.md",
        text="cde",
        char_from=2,
        char_to=5,
        page_from=1,
        page_to=2,
        page_breaks=(4,),
        kind=ChunkKind.TABLE,
        title="Leaflet",
        section_start=0,
        section_path=("Fares",),
        language="en",
        metadata={"year": 2026},
        acl=("crew",),
    )


def test_fragments_have_their_parent_s_ordinal_and_count_in_their_section() -> None:
    assert families(chunks_of(*FAMILY)) == [
        (0, None, None),
        (1, None, None),
        (2, 1, 0),
        (3, 1, 1),
        (4, 1, 2),
        (5, None, None),
        (6, 5, 0),
        (7, 5, 1),
    ]


def test_what_filters_drop_leaves_no_gaps() -> None:
    found = chunks_of(*FAMILY, filters=Dropping(positions=(0, 3)))
    assert families(found) == [(0, None, None), (1, 0, 0), (2, 0, 1), (3, None, None), (4, 3, 0), (5, 3, 1)]


def test_ordinals_go_on_from_where_an_earlier_part_ended() -> None:
    assert families(chunks_of(*FAMILY[5:6], replace(FAMILY[6], parent=0), start=40)) == [(40, None, None), (41, 40, 0)]


def test_back_matter_is_marked() -> None:
    assert [chunk.is_back_matter for chunk in chunks_of(FAMILY[0], ChunkSpan(5, 9, INDEX))] == [False, True]


def test_the_breadcrumb_is_searched_unless_it_is_not_to_be() -> None:
    chunking = Chunking(chunker=RecursiveChunker(10, 0), filters=KEEP_ALL)
    for breadcrumb, expected in ((True, "Leaflet > Fares\nabcde"), (False, "abcde")):
        made = replace(chunking, breadcrumb=breadcrumb).chunks_of(DOCUMENT, STORED, "v1")
        assert made.chunks[0].search_text == expected
        assert made.chunks[0].shown_text == "Leaflet > Fares\nabcde"


def test_a_context_is_searched_with_the_text() -> None:
    context = ContextWriter(model=Writer(), store=FakeStore(), bucket="reports")
    made = Chunking(chunker=RecursiveChunker(10, 0), filters=KEEP_ALL, context=context)
    first, *_ = made.chunks_of(DOCUMENT, STORED, "v1").chunks
    assert first.search_text == "Leaflet > Fares\nIt is on ferry fares 1.\nabcde"


def test_the_fingerprint_changes_with_all_that_changes_chunks_or_what_is_searched() -> None:
    plain = Chunking(chunker=RecursiveChunker(100, 0))
    context = ContextWriter(model=Writer(), store=FakeStore(), bucket="reports")
    others = [
        replace(plain, chunker=RecursiveChunker(100, 10)),
        replace(plain, chunker=SectionChunker()),
        replace(plain, filters=ChunkFilters(min_characters=10)),
        replace(plain, filters=ChunkFilters(max_dot_share=0.5)),
        replace(plain, breadcrumb=False),
        replace(plain, context=context),
        replace(plain, context=replace(context, model=Writer(spec="scripted:other"))),
    ]
    assert len({each.fingerprint for each in (plain, *others)}) == len(others) + 1
    assert Chunking(chunker=RecursiveChunker(100, 0)).fingerprint == plain.fingerprint


@pytest.mark.parametrize("size", [200, 20_000])
def test_what_the_default_makes_of_a_long_document_passes_the_audit(size: int) -> None:
    text = "".join(f"Sentence number {n} of a long report on ferries and trams. " for n in range(3_000))
    half = len(text) // 2
    sections = (Section("One", 1, ("One",), 0, half), Section("Two", 1, ("Two",), half, len(text)))
    chunking = Chunking(chunker=SectionChunker(parent_size=max(size, 2_500)))
    made = chunking.chunks_of(replace(DOCUMENT, text=text, sections=sections, pages=()), STORED, "v1")
    assert list(audit(made.chunks)) == []
    assert len(made.chunks) > 150
