"""The sentence strategy: whole sentences until a chunk is full."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from ragstone.chunking.base import chunkers
from ragstone.chunking.sized import SizedChunker
from ragstone.chunking.stretches import Stretch
from ragstone.chunking.structure import blocks_in
from ragstone.text import Span, sentences
from ragstone.types import ParsedDocument


class SentenceChunker(SizedChunker):
    """Sentences, and the lines of lists and tables, are only cut if they are too long alone."""

    name: ClassVar[str] = "sentence"

    def cut(self, document: ParsedDocument, stretch: Stretch) -> Iterator[Span]:
        atoms = self.splitter.atoms(document.text, stretch.start, stretch.end, stretch.formulas)
        return self.packed(document.text, atoms.whole(self._sentences(document, stretch)), stretch.formulas)

    def _sentences(self, document: ParsedDocument, stretch: Stretch) -> Iterator[Span]:
        for block in blocks_in(document, stretch.start, stretch.end):
            for start, end in sentences(document.text[block.start : block.end]):
                yield Span(block.start + start, block.start + end)


chunkers.register(SentenceChunker.name)(SentenceChunker.from_settings)
