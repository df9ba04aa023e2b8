"""The paragraph strategy: whole paragraphs until a chunk is full."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from ragstone.chunking.base import chunkers
from ragstone.chunking.sized import SizedChunker
from ragstone.chunking.stretches import Stretch
from ragstone.chunking.structure import blocks_in, with_leads
from ragstone.text import Span
from ragstone.types import ParsedDocument


class ParagraphChunker(SizedChunker):
    """Paragraphs, lists, tables and code are only cut if they are too long alone; headings stay with what they head."""

    name: ClassVar[str] = "paragraph"

    def cut(self, document: ParsedDocument, stretch: Stretch) -> Iterator[Span]:
        def fits(start: int, end: int) -> bool:
            return self.splitter.fits(document.text[start:end])

        blocks = with_leads(blocks_in(document, stretch.start, stretch.end), fits)
        return self.packed(document.text, (Span(block.start, block.end) for block in blocks), stretch.formulas)


chunkers.register(ParagraphChunker.name)(ParagraphChunker.from_settings)
