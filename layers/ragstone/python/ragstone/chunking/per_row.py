"""The per-row strategy: each row of a table is a chunk, all other text goes by paragraphs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from ragstone.chunking.base import ChunkSpan, chunkers
from ragstone.chunking.paragraph import ParagraphChunker
from ragstone.chunking.sized import tidy
from ragstone.chunking.splitting import Splitter
from ragstone.chunking.stretches import Stretch, stretches
from ragstone.chunking.structure import blocks_in, rows, runs
from ragstone.text import Span
from ragstone.types import Block, BlockKind, ChunkKind, ParsedDocument

LONGEST_ROW = Splitter(20_000, 0)
"""A row is a record, whatever its size; only one that would fill pages is cut, between its cells where it can be."""


class PerRowChunker(ParagraphChunker):
    """For tables whose rows are asked for one by one."""

    name: ClassVar[str] = "per_row"

    def spans(self, document: ParsedDocument) -> Iterator[ChunkSpan]:
        for stretch in stretches(document):
            for run in runs(blocks_in(document, stretch.start, stretch.end)):
                kind = ChunkKind.ROW if run.kind is BlockKind.TABLE else ChunkKind.TEXT
                for start, end in tidy(document.text, self._pieces(document, stretch, run)):
                    yield ChunkSpan(start, end, stretch.section, kind)

    def _pieces(self, document: ParsedDocument, stretch: Stretch, run: Block) -> Iterator[Span]:
        if run.kind is not BlockKind.TABLE:
            yield from self.cut(document, stretch._replace(start=run.start, end=run.end))
            return
        for row in rows(document.text, run.start, run.end):
            yield from LONGEST_ROW.split(document.text, row.start, row.end, stretch.formulas)


chunkers.register(PerRowChunker.name)(PerRowChunker.from_settings)
