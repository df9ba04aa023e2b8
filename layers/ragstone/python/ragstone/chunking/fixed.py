"""The fixed strategy: windows of the same number of characters or tokens, wherever they end."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar

from ragstone.chunking.base import chunkers
from ragstone.chunking.sized import SizedChunker
from ragstone.chunking.stretches import Stretch
from ragstone.chunking.windows import Windows
from ragstone.text import Span
from ragstone.types import ParsedDocument


class FixedChunker(SizedChunker):
    """Every chunk but a section's last has the full size, less what would cut a cluster or a formula."""

    name: ClassVar[str] = "fixed"

    def cut(self, document: ParsedDocument, stretch: Stretch) -> Iterator[Span]:
        atoms = self.splitter.atoms(document.text, stretch.start, stretch.end, stretch.formulas)
        return iter(Windows(self._bounds(document.text, stretch), atoms, self.size, self.overlap))

    def _bounds(self, text: str, stretch: Stretch) -> Sequence[int]:
        if self.tokenizer is None:
            return range(stretch.start, stretch.end + 1)
        starts = self.tokenizer.starts(text[stretch.start : stretch.end])
        return [stretch.start, *(stretch.start + start for start in starts[1:]), stretch.end]


chunkers.register(FixedChunker.name)(FixedChunker.from_settings)
