"""What holds for every registered chunker, whatever the text."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragstone.chunking import (
    Chunker,
    ChunkSpan,
    FixedChunker,
    MarkdownHeaderChunker,
    ParagraphChunker,
    PerRowChunker,
    RecursiveChunker,
    SectionChunker,
    SemanticChunker,
    SentenceChunker,
    TokenChunker,
    chunkers,
)
from ragstone.settings import Settings
from ragstone.types import ChunkKind, ParsedDocument
from tests.support.fake_embedder import FakeEmbedder
from tests.unit.chunking.documents import WordTokenizer, clusters, documents, formulas

SIZED = (
    FixedChunker,
    MarkdownHeaderChunker,
    ParagraphChunker,
    PerRowChunker,
    RecursiveChunker,
    SentenceChunker,
    TokenChunker,
)
SIZES = st.integers(1, 40).flatmap(lambda size: st.tuples(st.just(size), st.integers(0, size // 2)))


@st.composite
def made_chunkers(draw: st.DrawFn, name: str) -> Chunker:
    """The chunker of that name with drawn sizes."""
    size, overlap = draw(SIZES)
    if name == "section":
        section, parent = size + draw(st.integers(0, 40)), size + draw(st.integers(40, 200))
        return SectionChunker(
            section_size=section,
            fragment_size=size,
            fragment_overlap=overlap,
            table_size=draw(st.integers(1, 60)),
            parent_size=parent,
        )
    if name == "semantic":
        threshold, most = draw(st.floats(0, 2)), draw(st.integers(1, 4))
        return SemanticChunker(embedder=FakeEmbedder(), threshold=threshold, max_paragraphs=most, paragraph_size=size)
    (kind,) = [kind for kind in SIZED if kind.name == name]
    in_tokens = name == "token" or draw(st.booleans())
    return kind(size, overlap, WordTokenizer() if in_tokens else None)


@pytest.mark.parametrize("name", sorted(chunkers))
@settings(deadline=None)
@given(st.data())
def test_chunks_are_true_ordered_whole_and_lose_nothing_but_white_space(name: str, data: st.DataObject) -> None:
    document, chunker = data.draw(documents()), data.draw(made_chunkers(name))
    spans = list(chunker.spans(document))
    covers_all(spans, document)
    stays_in_order(spans)
    stays_within_sections(spans, document)
    for span in spans:
        cuts_no_cluster(span, document)
        cuts_no_formula(span, document, fitting=size_of(chunker))
    knows_its_parents(spans)
    assert list(chunker.spans(document)) == spans


@pytest.mark.parametrize("name", sorted({kind.name for kind in SIZED} - {"per_row"}))
@settings(deadline=None)
@given(st.data())
def test_chunks_keep_to_the_size(name: str, data: st.DataObject) -> None:
    document, chunker = data.draw(documents()), data.draw(made_chunkers(name))
    assert isinstance(chunker, SIZED)
    longest = max((end - start for start, end in clusters(document.text)), default=0)
    limit = max(chunker.size, longest)
    for span in chunker.spans(document):
        assert chunker.length(document.text[span.start : span.end]) <= limit


@settings(deadline=None)
@given(documents(), made_chunkers("section"))
def test_sections_fragments_tables_and_parents_keep_to_their_sizes(document: ParsedDocument, chunker: Chunker) -> None:
    assert isinstance(chunker, SectionChunker)
    longest = max((end - start for start, end in clusters(document.text)), default=0)
    spans = list(chunker.spans(document))
    limits = {
        ChunkKind.TEXT: max(chunker.section_size, chunker.fragment_size),
        ChunkKind.TABLE: max(chunker.section_size, chunker.table_size),
        ChunkKind.PARENT: chunker.parent_size,
    }
    for span in spans:
        assert span.end - span.start <= max(limits[span.kind], longest)


def covers_all(spans: list[ChunkSpan], document: ParsedDocument) -> None:
    covered = {place for span in spans for place in range(span.start, span.end) if span.kind is not ChunkKind.PARENT}
    assert covered >= {place for place, character in enumerate(document.text) if not character.isspace()}


def stays_in_order(spans: list[ChunkSpan]) -> None:
    found = [span for span in spans if span.kind is not ChunkKind.PARENT]
    for one, other in pairwise(found):
        assert one.start < other.start
        assert one.end < other.end


def stays_within_sections(spans: list[ChunkSpan], document: ParsedDocument) -> None:
    for span in spans:
        assert 0 <= span.start < span.end <= len(document.text)
        if span.section is not None:
            assert span.section.start <= span.start < span.end <= span.section.end
        for section in document.sections:
            if section != span.section:
                assert span.end <= section.start or section.end <= span.start


def cuts_no_cluster(span: ChunkSpan, document: ParsedDocument) -> None:
    for start, end in clusters(document.text):
        assert not (start < span.start < end or start < span.end < end)


def cuts_no_formula(span: ChunkSpan, document: ParsedDocument, *, fitting: int) -> None:
    """Formulas that fit in a chunk, and do not reach over the end of a table's row or over a header."""
    for start, end in formulas(document.text):
        if end - start <= fitting and "\n" not in document.text[start:end]:
            assert not (start < span.start < end or start < span.end < end)


def knows_its_parents(spans: list[ChunkSpan]) -> None:
    for span in spans:
        if span.parent is not None:
            parent = spans[span.parent]
            assert (parent.kind, parent.section) == (ChunkKind.PARENT, span.section)
            assert parent.start <= span.start < span.end <= parent.end
    used = {span.parent for span in spans}
    assert all(position in used for position, span in enumerate(spans) if span.kind is ChunkKind.PARENT)


def size_of(chunker: Chunker) -> int:
    """The longest formula, in characters, that surely fits."""
    match chunker:
        case SectionChunker():
            return min(chunker.fragment_size, chunker.section_size)
        case SemanticChunker():
            return chunker.paragraph_size
        case _:
            assert isinstance(chunker, SIZED)
            return chunker.size


def all_settings(name: str) -> Iterator[Settings]:
    for changes in ({"chunk_size": 500}, {"chunk_overlap": 77}, {"fragment_size": 700}, {"semantic_threshold": 0.3}):
        yield Settings.model_validate({"index_url": "-", "chunker": name, **changes})


@pytest.mark.parametrize("name", sorted(chunkers))
def test_the_fingerprint_tells_the_name_and_changes_with_the_sizes(name: str) -> None:
    made = [chunkers[name](given_settings, FakeEmbedder).fingerprint for given_settings in all_settings(name)]
    assert all(fingerprint.startswith(f"{name}-") for fingerprint in made)
    assert len(set(made)) > 1
