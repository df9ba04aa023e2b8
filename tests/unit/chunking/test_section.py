from __future__ import annotations

from itertools import pairwise

from ragstone.chunking import SectionChunker
from ragstone.types import BlockKind, ChunkKind, ParsedDocument
from tests.unit.chunking.documents import blocks_of, document, texts_of

SENTENCE = "The night ferry leaves the mole at the hour that is on the board. "
ROW = "Ticket: Day | Price: 7 tallies | Valid: until three in the morning of the next day\n"


def test_a_section_up_to_2500_characters_is_one_chunk() -> None:
    made = document("a" * 2_500 + "b" * 2_500, sections=[0, 2_500])
    assert [(span.start, span.end, span.kind) for span in SectionChunker().spans(made)] == [
        (0, 2_500, ChunkKind.TEXT),
        (2_500, 5_000, ChunkKind.TEXT),
    ]


def test_a_longer_section_is_a_parent_with_overlapping_fragments() -> None:
    made = document("Short." + SENTENCE * 60, sections=[0, 6])
    short, parent, *fragments = SectionChunker().spans(made)
    assert (short.kind, short.parent) == (ChunkKind.TEXT, None)
    assert (parent.kind, parent.start, parent.end) == (ChunkKind.PARENT, 6, len(made.text.rstrip()))
    assert {(span.kind, span.parent, span.section) for span in fragments} == {(ChunkKind.TEXT, 1, parent.section)}
    assert all(span.end - span.start <= 1_200 for span in fragments)
    overlaps = [one.end - other.start for one, other in pairwise(fragments)]
    assert set(overlaps) == {3 * len(SENTENCE) - 1}


def test_a_section_of_many_pages_has_several_parents() -> None:
    made = document(SENTENCE * 1_000)
    spans = list(SectionChunker().spans(made))
    parents = [span for span in spans if span.kind is ChunkKind.PARENT]
    assert len(parents) == 4
    assert all(15_000 < span.end - span.start <= 20_000 for span in parents[:-1])
    assert all(other.start <= one.end for one, other in pairwise(parents))


def test_a_fragment_that_would_be_all_of_its_parent_has_none() -> None:
    made = document("a" * 100 + " " + "b" * 100 + " " + "c" * 50)
    chunker = SectionChunker(section_size=110, fragment_size=110, fragment_overlap=0, parent_size=220)
    assert [(span.kind, span.parent) for span in chunker.spans(made)] == [
        (ChunkKind.PARENT, None),
        (ChunkKind.TEXT, 0),
        (ChunkKind.TEXT, 0),
        (ChunkKind.TEXT, None),
    ]


def test_a_table_up_to_3000_characters_is_one_chunk_with_its_caption() -> None:
    made = blocks_of(
        (BlockKind.PARAGRAPH, SENTENCE * 30),
        (BlockKind.CAPTION, "Table 3: Tickets"),
        (BlockKind.TABLE, (ROW * 35).rstrip()),
    )
    *_, table = SectionChunker().spans(made)
    (text,) = texts_of([table], made)
    assert (table.kind, text.startswith("Table 3: Tickets\n\nTicket: Day"), len(text) <= 3_000) == (
        ChunkKind.TABLE,
        True,
        True,
    )


def test_a_longer_table_is_split_between_its_rows() -> None:
    made = blocks_of((BlockKind.TABLE, (ROW * 100).rstrip()))
    parent, *tables = SectionChunker().spans(made)
    texts = texts_of(tables, made)
    assert parent.kind is ChunkKind.PARENT
    assert {span.kind for span in tables} == {ChunkKind.TABLE}
    assert all(len(text) <= 3_000 for text in texts)
    assert [line for text in texts for line in text.split("\n")] == [ROW.rstrip()] * 100


def test_a_row_that_is_longer_than_a_table_may_be_is_cut_between_its_cells() -> None:
    made = blocks_of((BlockKind.TABLE, " | ".join(f"Cell {n}: " + "x" * 500 for n in range(10))))
    texts = texts_of(list(SectionChunker().spans(made))[1:], made)
    assert [text[:6] for text in texts] == ["Cell 0", "Cell 5"]


def test_a_short_section_of_nothing_but_a_table_is_a_table() -> None:
    kinds = {
        (BlockKind.HEADING, BlockKind.TABLE): ChunkKind.TABLE,
        (BlockKind.PARAGRAPH, BlockKind.TABLE): ChunkKind.TEXT,
        (BlockKind.HEADING,): ChunkKind.TEXT,
    }
    for blocks, kind in kinds.items():
        (span,) = SectionChunker().spans(blocks_of(*((block, "Day: 7") for block in blocks)))
        assert span.kind is kind


def test_a_formula_is_not_cut() -> None:
    formula = "$$" + "a + b. " * 20 + "$$"
    made = document((SENTENCE * 16 + formula + " ") * 5)
    texts = texts_of(list(SectionChunker().spans(made))[1:], made)
    assert all(text.count("$$") % 2 == 0 for text in texts)
    assert sum(formula in text for text in texts) >= 5


def test_an_empty_document_has_no_chunks() -> None:
    assert list(SectionChunker().spans(ParsedDocument(text=" \n ", media_type="text/plain", parser="test"))) == []
