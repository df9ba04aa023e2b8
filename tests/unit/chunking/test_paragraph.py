from __future__ import annotations

from ragstone.chunking import ParagraphChunker
from ragstone.types import BlockKind
from tests.unit.chunking.documents import blocks_of, document, texts_of


def test_whole_paragraphs_go_together_until_a_chunk_is_full() -> None:
    made = document("First one.\n\nSecond one.\n \nThird one is longer.")
    assert texts_of(ParagraphChunker(25, 0).spans(made), made) == ["First one.\n\nSecond one.", "Third one is longer."]


def test_blocks_are_kept_whole_though_they_hold_blank_lines() -> None:
    made = blocks_of((BlockKind.PARAGRAPH, "Text before."), (BlockKind.CODE, "a = 1\n\nb = 2"))
    assert texts_of(ParagraphChunker(20, 0).spans(made), made) == ["Text before.", "a = 1\n\nb = 2"]


def test_a_heading_stays_with_what_it_heads() -> None:
    made = blocks_of((BlockKind.PARAGRAPH, "Before."), (BlockKind.HEADING, "Fares"), (BlockKind.PARAGRAPH, "A tally."))
    assert texts_of(ParagraphChunker(18, 0).spans(made), made) == ["Before.", "Fares\n\nA tally."]


def test_a_paragraph_that_is_too_long_is_split() -> None:
    made = document("Short.\n\nA long one. It has sentences. Three of them.")
    assert texts_of(ParagraphChunker(20, 0).spans(made), made) == [
        "Short.\n\nA long one.",
        "It has sentences.",
        "Three of them.",
    ]
