"""What the strategies share that cut to a size."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar, Self

from ragstone.chunking.base import ChunkSpan, GetEmbedder
from ragstone.chunking.packing import pack
from ragstone.chunking.splitting import Splitter
from ragstone.chunking.stretches import Stretch, stretches
from ragstone.chunking.structure import trimmed
from ragstone.chunking.tokenizers import build_tokenizer
from ragstone.errors import SettingsError
from ragstone.ports import Tokenizer
from ragstone.settings import Settings
from ragstone.text import Span
from ragstone.types import ParsedDocument


@dataclass(frozen=True, slots=True)
class SizedChunker(ABC):
    """Chunks of at most `size` that share about `overlap` with the one before: characters, or a tokenizer's tokens.

    Only a grapheme cluster that is longer alone makes a longer chunk.
    """

    name: ClassVar[str]

    size: int
    overlap: int
    tokenizer: Tokenizer | None = None

    def __post_init__(self) -> None:
        if self.size < 1 or not 0 <= self.overlap <= self.size // 2:
            raise SettingsError(
                f"chunk_overlap is {self.overlap} and chunk_size {self.size}; the overlap must be "
                f"0 to {self.size // 2} (half of chunk_size)"
            )

    @classmethod
    def from_settings(cls, settings: Settings, embedder: GetEmbedder) -> Self:
        tokenizer = build_tokenizer(settings.tokenizer) if settings.chunk_unit == "tokens" else None
        return cls(settings.chunk_size, settings.overlap, tokenizer)

    @property
    def fingerprint(self) -> str:
        unit = f"-{self.tokenizer.spec}" if self.tokenizer else ""
        return f"{self.name}-{self.size}-{self.overlap}{unit}"

    def spans(self, document: ParsedDocument) -> Iterator[ChunkSpan]:
        for stretch in self.stretches(document):
            for start, end in tidy(document.text, self.cut(document, stretch)):
                yield ChunkSpan(start, end, stretch.section)

    def stretches(self, document: ParsedDocument) -> Iterator[Stretch]:
        return stretches(document)

    @abstractmethod
    def cut(self, document: ParsedDocument, stretch: Stretch) -> Iterator[Span]:
        """The chunks of one stretch, in order and covering it; their ends may be white space."""

    @property
    def splitter(self) -> Splitter:
        return Splitter(self.size, self.overlap, self.length)

    def packed(self, text: str, pieces: Iterable[Span], formulas: Sequence[Span]) -> Iterator[Span]:
        """Pieces put together until a chunk is full; one that is too long alone is split."""

        def length(start: int, end: int) -> int:
            return self.length(text[start:end])

        small = (part for piece in pieces for part in self.splitter.split(text, *piece, formulas))
        return pack(small, size=self.size, overlap=self.overlap, length=length)

    def length(self, text: str) -> int:
        return len(self.tokenizer.starts(text)) if self.tokenizer else len(text)


def tidy(text: str, spans: Iterable[Span]) -> Iterator[Span]:
    """Spans without white space at their ends, and without those that then lie in the one before or after."""
    held: Span | None = None
    for span in spans:
        start, end = trimmed(text, *span)
        if start == end or (held and end <= held.end):
            continue
        if held and held.start < start:
            yield held
        held = Span(start, end)
    if held:
        yield held
