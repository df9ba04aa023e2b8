from __future__ import annotations

from ragstone.chunking import PerRowChunker
from ragstone.types import BlockKind, ChunkKind
from tests.unit.chunking.documents import blocks_of, texts_of


def test_each_row_is_a_chunk_and_all_else_goes_by_paragraphs() -> None:
    made = blocks_of(
        (BlockKind.HEADING, "Fares"),
        (BlockKind.PARAGRAPH, "In tallies."),
        (BlockKind.TABLE, "Ticket: Day | Price: 7\nTicket: Week | Price: 24"),
        (BlockKind.PARAGRAPH, "Discs never expire."),
    )
    spans = list(PerRowChunker(100, 0).spans(made))
    assert list(zip(texts_of(spans, made), [span.kind for span in spans], strict=True)) == [
        ("Fares\n\nIn tallies.", ChunkKind.TEXT),
        ("Ticket: Day | Price: 7", ChunkKind.ROW),
        ("Ticket: Week | Price: 24", ChunkKind.ROW),
        ("Discs never expire.", ChunkKind.TEXT),
    ]


def test_a_row_is_not_cut_though_it_is_longer_than_a_chunk() -> None:
    row = "Name: " + "x" * 500
    made = blocks_of((BlockKind.TABLE, f"{row}\nName: y"))
    assert texts_of(PerRowChunker(100, 0).spans(made), made) == [row, "Name: y"]


def test_a_row_of_many_pages_is_cut_between_its_cells() -> None:
    made = blocks_of((BlockKind.TABLE, " | ".join(f"Cell {n}: " + "x" * 900 for n in range(40))))
    texts = texts_of(PerRowChunker(100, 0).spans(made), made)
    assert len(texts) == 2
    assert all(text.startswith("Cell ") for text in texts)
