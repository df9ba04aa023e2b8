from __future__ import annotations

from ragstone.chunking import SentenceChunker
from tests.unit.chunking.documents import document, texts_of


def test_whole_sentences_go_together_until_a_chunk_is_full() -> None:
    made = document("One is here. Two is e.g. there.\n\nThree is 3.5 long! Four?")
    assert texts_of(SentenceChunker(35, 0).spans(made), made) == [
        "One is here. Two is e.g. there.",
        "Three is 3.5 long! Four?",
    ]


def test_the_overlap_is_whole_sentences() -> None:
    made = document("One is here. Two is here. Three is here. Four is here.")
    assert texts_of(SentenceChunker(30, 13).spans(made), made) == [
        "One is here. Two is here.",
        "Two is here. Three is here.",
        "Four is here.",
    ]


def test_a_sentence_that_is_too_long_is_cut_between_words() -> None:
    made = document("A word and another word and one more word here. Short.")
    assert texts_of(SentenceChunker(24, 0).spans(made), made) == [
        "A word and another word",
        "and one more word here.",
        "Short.",
    ]


def test_a_full_stop_in_a_formula_ends_no_chunk() -> None:
    made = document("First. $$a. b$$ is so. Last.")
    assert texts_of(SentenceChunker(18, 0).spans(made), made) == ["First.", "$$a. b$$ is so.", "Last."]
