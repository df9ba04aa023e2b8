from __future__ import annotations

from itertools import pairwise

import pytest

from ragstone.chunking import RecursiveChunker, chunkers
from ragstone.errors import SettingsError
from tests.unit.chunking.documents import document, texts_of


def test_chunks_end_at_sentences_where_they_fit() -> None:
    made = document("The first sentence. The second sentence. The third sentence.")
    assert texts_of(RecursiveChunker(45, 0).spans(made), made) == [
        "The first sentence. The second sentence.",
        "The third sentence.",
    ]


def test_paragraphs_come_before_lines_and_lines_before_cells() -> None:
    made = document("one two\nthree four\n\nfive\nsix | seven eight nine")
    assert texts_of(RecursiveChunker(20, 0).spans(made), made) == [
        "one two\nthree four",
        "five\nsix |",
        "seven eight nine",
    ]


def test_chunks_share_whole_sentences_up_to_the_overlap() -> None:
    made = document("One is. Two is here. Three is. Four is here. Five.")
    assert texts_of(RecursiveChunker(35, 13).spans(made), made) == [
        "One is. Two is here.",
        "Two is here. Three is.",
        "Three is. Four is here. Five.",
    ]


def test_where_no_sentence_fits_chunks_share_words() -> None:
    made = document("alpha beta gamma delta epsilon zeta")
    assert texts_of(RecursiveChunker(20, 8).spans(made), made) == [
        "alpha beta",
        "beta gamma delta",
        "delta epsilon zeta",
    ]


def test_where_no_word_fits_chunks_share_characters() -> None:
    made = document("漢" * 25)
    assert [(span.start, span.end) for span in RecursiveChunker(10, 3).spans(made)] == [
        (0, 7),
        (4, 14),
        (11, 21),
        (18, 25),
    ]


def test_text_that_repeats_itself_overlaps_as_well() -> None:
    made = document("Again and again. " * 40)
    spans = list(RecursiveChunker(100, 20).spans(made))
    assert {one.end - other.start for one, other in pairwise(spans)} == {16}


def test_the_overlap_shrinks_where_a_formula_needs_the_room() -> None:
    made = document("Some words here $$a + b$$ and more of them")
    assert texts_of(RecursiveChunker(12, 5).spans(made), made) == [
        "Some words",
        "ords here",
        "re $$a + b$$",
        "and more",
        "more of them",
    ]


@pytest.mark.parametrize(("size", "overlap"), [(100, 51), (100, 100), (100, -1), (0, 0)])
def test_sizes_that_can_t_work_are_refused_with_the_range(size: int, overlap: int) -> None:
    with pytest.raises(SettingsError, match=rf"0 to {size // 2} \(half of chunk_size\)"):
        RecursiveChunker(size, overlap)


def test_an_unknown_chunker_is_refused_with_the_known_ones() -> None:
    with pytest.raises(SettingsError, match="unknown chunker 'magic'; known are fixed, markdown_header, paragraph"):
        chunkers["magic"]
