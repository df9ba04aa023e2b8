from __future__ import annotations

from ragstone.chunking.stretches import stretches
from ragstone.chunking.structure import blocks_in, rows, runs, trimmed, with_leads
from ragstone.types import Block, BlockKind, ParsedDocument
from tests.unit.chunking.documents import blocks_of, document

HEADING, PARAGRAPH, CAPTION, TABLE = BlockKind.HEADING, BlockKind.PARAGRAPH, BlockKind.CAPTION, BlockKind.TABLE


def shown(blocks: list[Block], made: ParsedDocument) -> list[tuple[BlockKind, str]]:
    return [(block.kind, made.text[block.start : block.end]) for block in blocks]


def test_stretches_are_sections_and_what_lies_around_them() -> None:
    made = document("before one two", sections=[7, 11])
    assert [(s.start, s.end, s.section and s.section.title) for s in stretches(made)] == [
        (0, 7, None),
        (7, 11, "s0"),
        (11, 14, "s1"),
    ]


def test_blocks_are_cut_to_the_stretch_and_gaps_are_paragraphs() -> None:
    made = document("ab\n\ncd  ef\ngh", sections=[0, 9], blocks=[Block(TABLE, 8, 13)])
    assert shown(list(blocks_in(made, 0, 9)), made) == [(PARAGRAPH, "ab"), (PARAGRAPH, "cd"), (TABLE, "e")]
    assert shown(list(blocks_in(made, 9, 13)), made) == [(TABLE, "f\ngh")]


def test_headings_and_captions_join_what_they_introduce() -> None:
    made = blocks_of(
        (HEADING, "H1"), (HEADING, "H2"), (PARAGRAPH, "text"), (CAPTION, "C"), (TABLE, "a: b"), (HEADING, "E")
    )
    joined = list(with_leads(made.blocks, lambda start, end: end - start <= 12))
    assert shown(joined, made) == [(PARAGRAPH, "H1\n\nH2\n\ntext"), (TABLE, "C\n\na: b"), (HEADING, "E")]
    apart = list(with_leads(made.blocks, lambda start, end: False))
    assert apart == list(made.blocks)


def test_what_stands_between_tables_is_one_block() -> None:
    made = blocks_of((HEADING, "H"), (PARAGRAPH, "p"), (TABLE, "a"), (TABLE, "b"), (PARAGRAPH, "q"))
    assert shown(list(runs(made.blocks)), made) == [(PARAGRAPH, "H\n\np"), (TABLE, "a"), (TABLE, "b"), (PARAGRAPH, "q")]


def test_rows_are_lines_with_something_on_them() -> None:
    made = document("a: 1 \n\n  a: 2\n")
    assert shown(list(rows(made.text, 0, len(made.text))), made) == [(TABLE, "a: 1"), (TABLE, "a: 2")]


def test_white_space_goes_but_not_from_under_a_mark() -> None:
    assert trimmed(" ab ", 0, 4) == (1, 3)
    assert trimmed("  \u0301ab", 0, 5) == (1, 5)
    assert trimmed("ab\u0600 ", 0, 4) == (0, 4)
    assert trimmed("   ", 0, 3) == (3, 3)
