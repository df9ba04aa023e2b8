"""The recursive strategy: paragraphs first, then lines, sentences and words, whatever still fits."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from langchain_text_splitters import RecursiveCharacterTextSplitter

from ragstone.chunking.base import ChunkSpan, chunkers
from ragstone.errors import SettingsError
from ragstone.types import ParsedDocument, Section

SEPARATORS = ["\n\n", "\n", ". ", "! ", "? ", "。", " ", ""]


@dataclass(frozen=True, slots=True)
class RecursiveChunker:
    """Chunks of at most `size` characters that share about `overlap` with the one before, section by section."""

    size: int
    overlap: int

    def __post_init__(self) -> None:
        if not 0 <= self.overlap < self.size:
            raise SettingsError(f"chunk_overlap is {self.overlap}; it must be 0 to {self.size - 1} (below chunk_size)")

    @property
    def fingerprint(self) -> str:
        return f"recursive-{self.size}-{self.overlap}"

    def spans(self, document: ParsedDocument) -> Iterator[ChunkSpan]:
        splitter = RecursiveCharacterTextSplitter(
            chunk_size=self.size,
            chunk_overlap=self.overlap,
            separators=SEPARATORS,
            keep_separator="end",
            strip_whitespace=False,
        )
        for start, end, section in _stretches(document):
            yield from _split(splitter, document.text, start, end, section)


def _stretches(document: ParsedDocument) -> Iterator[tuple[int, int, Section | None]]:
    """The sections, and what lies before, between and after them."""
    position = 0
    for section in document.sections:
        if position < section.start:
            yield position, section.start, None
        yield section.start, section.end, section
        position = section.end
    if position < len(document.text):
        yield position, len(document.text), None


def _split(
    splitter: RecursiveCharacterTextSplitter, text: str, start: int, end: int, section: Section | None
) -> Iterator[ChunkSpan]:
    stretch = text[start:end]
    covered = 0
    for piece in splitter.split_text(stretch):
        # A piece begins at or before the end of the last one. In repetitive text it may fit in several
        # places: the last of them leaves no gap.
        begin = stretch.rindex(piece, 0, covered + len(piece))
        covered = begin + len(piece)
        if words := piece.strip():
            first = start + begin + piece.index(words)
            yield ChunkSpan(first, first + len(words), section)


@chunkers.register("recursive")
def recursive(size: int, overlap: int) -> RecursiveChunker:
    return RecursiveChunker(size, overlap)
