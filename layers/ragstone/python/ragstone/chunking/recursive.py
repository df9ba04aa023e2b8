"""The recursive strategy: paragraphs first, then lines, sentences and words, whatever still fits."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from ragstone.chunking.base import chunkers
from ragstone.chunking.sized import SizedChunker
from ragstone.chunking.stretches import Stretch
from ragstone.text import Span
from ragstone.types import ParsedDocument


class RecursiveChunker(SizedChunker):
    """Section by section, with the splitter that the other strategies use for what is too long for them."""

    name: ClassVar[str] = "recursive"

    def cut(self, document: ParsedDocument, stretch: Stretch) -> Iterator[Span]:
        return self.splitter.split(document.text, stretch.start, stretch.end, stretch.formulas)


chunkers.register(RecursiveChunker.name)(RecursiveChunker.from_settings)
