from __future__ import annotations

from ragstone.chunking import FixedChunker
from tests.unit.chunking.documents import WordTokenizer, document, texts_of


def test_windows_have_the_same_size_and_overlap() -> None:
    made = document("abcdefghijklmnopqrstuvw")
    assert texts_of(FixedChunker(10, 3).spans(made), made) == ["abcdefghij", "hijklmnopq", "opqrstuvw"]


def test_a_window_ends_before_a_cluster_that_it_would_cut() -> None:
    made = document("abc👩\u200d👩\u200d👧def")
    assert texts_of(FixedChunker(6, 0).spans(made), made) == ["abc", "👩\u200d👩\u200d👧d", "ef"]


def test_a_cluster_that_is_longer_than_a_window_is_a_chunk() -> None:
    made = document("ab" + "x" + "\u0301" * 9 + "cd")
    assert texts_of(FixedChunker(4, 0).spans(made), made) == ["ab", "x" + "\u0301" * 9, "cd"]


def test_a_formula_that_fits_is_not_cut() -> None:
    made = document("Where $$a + b$$ holds")
    assert texts_of(FixedChunker(12, 0).spans(made), made) == ["Where", "$$a + b$$ ho", "lds"]


def test_a_formula_that_does_not_fit_is_cut() -> None:
    made = document("$$" + "a" * 20 + "$$")
    assert [len(text) for text in texts_of(FixedChunker(10, 0).spans(made), made)] == [10, 10, 4]


def test_sizes_may_be_in_tokens() -> None:
    made = document("one two three four five")
    assert texts_of(FixedChunker(4, 0, WordTokenizer()).spans(made), made) == ["one two", "three four", "five"]


def test_no_chunk_lies_in_the_one_before_or_after() -> None:
    made = document("ab" + " " * 12 + "cdefghijkl")
    assert texts_of(FixedChunker(10, 5).spans(made), made) == ["ab", "cdefgh", "defghijkl"]
