"""What a chunking strategy is, and the table of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Protocol

from ragstone.registry import Registry
from ragstone.types import ParsedDocument, Section


@dataclass(frozen=True, slots=True)
class ChunkSpan:
    """A chunk as a stretch `[start, end)` of the document's text, within at most one section."""

    start: int
    end: int
    section: Section | None


class Chunker(Protocol):
    """Cuts a document; spans come in order, cover all but white space, and never cross a section's border."""

    @property
    def fingerprint(self) -> str:
        """Name and settings: two chunkers with the same fingerprint cut alike."""
        ...

    def spans(self, document: ParsedDocument) -> Iterator[ChunkSpan]: ...


chunkers: Registry[Callable[[int, int], Chunker]] = Registry("chunker")
"""Chunkers by name; each entry takes the chunk size and overlap in characters."""
