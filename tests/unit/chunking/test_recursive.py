from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragstone.chunking import RecursiveChunker, chunkers
from ragstone.errors import SettingsError
from ragstone.types import ParsedDocument, Section

TEXT = st.text(alphabet=st.sampled_from("ab .\n!é漢"), max_size=300)


def document(text: str, *borders: int) -> ParsedDocument:
    starts = sorted({min(border, len(text)) for border in borders})
    spans = pairwise([*starts, len(text)])
    sections = tuple(Section(f"s{n}", 1, (f"s{n}",), *span) for n, span in enumerate(spans))
    return ParsedDocument(text=text, media_type="text/plain", parser="test", sections=sections)


@given(TEXT, st.lists(st.integers(0, 300), max_size=3), st.integers(1, 40), st.data())
def test_chunks_cover_all_but_white_space_within_their_sections(
    text: str, borders: list[int], size: int, data: st.DataObject
) -> None:
    chunker = RecursiveChunker(size, data.draw(st.integers(0, size - 1)))
    spans = list(chunker.spans(document(text, *borders)))
    covered = {position for span in spans for position in range(span.start, span.end)}
    assert covered >= {position for position, character in enumerate(text) if not character.isspace()}
    for span in spans:
        assert 0 < span.end - span.start <= size
        assert text[span.start : span.end].strip() == text[span.start : span.end]
        assert span.section is None or span.section.start <= span.start < span.end <= span.section.end


def test_chunks_end_at_sentences_where_they_fit() -> None:
    text = "The first sentence. The second sentence. The third sentence."
    spans = RecursiveChunker(45, 0).spans(document(text))
    assert [text[span.start : span.end] for span in spans] == [
        "The first sentence. The second sentence.",
        "The third sentence.",
    ]


def test_an_overlap_as_large_as_the_chunk_is_refused_with_the_range() -> None:
    with pytest.raises(SettingsError, match="0 to 99"):
        chunkers["recursive"](100, 100)


def test_an_unknown_chunker_is_refused_with_the_known_ones() -> None:
    with pytest.raises(SettingsError, match="unknown chunker 'magic'; known are recursive"):
        chunkers["magic"]
