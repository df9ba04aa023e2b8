"""What a chunking strategy is, and the table of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Protocol

from ragstone.ports import Embedder
from ragstone.registry import Registry
from ragstone.settings import Settings
from ragstone.types import ChunkKind, ParsedDocument, Section


@dataclass(frozen=True, slots=True)
class ChunkSpan:
    """A chunk as a stretch `[start, end)` of the document's text, within at most one section.

    `parent` is the position, from 0 among the document's spans, of the longer span that this one is a fragment of.
    Filters mark spans and take none away, so that positions stay true and what is dropped can be counted and shown.
    """

    start: int
    end: int
    section: Section | None = None
    kind: ChunkKind = ChunkKind.TEXT
    parent: int | None = None
    is_back_matter: bool = False
    is_dropped: bool = False


class Chunker(Protocol):
    """Cuts a document.

    Spans come in order, a parent right before its fragments. They cover all text but white space, hold no white
    space at their ends, never cross a section's border and never cut a grapheme cluster.
    """

    @property
    def fingerprint(self) -> str:
        """Name and settings: two chunkers with the same fingerprint cut alike."""
        ...

    def spans(self, document: ParsedDocument) -> Iterator[ChunkSpan]: ...


GetEmbedder = Callable[[], Embedder]
BuildChunker = Callable[[Settings, GetEmbedder], Chunker]

chunkers: Registry[BuildChunker] = Registry("chunker")
"""Chunkers by name; each entry reads its sizes from the settings, and asks for the embedder only if it needs one."""


def build_chunker(settings: Settings, embedder: GetEmbedder) -> Chunker:
    """The chunker that the settings name; raises SettingsError for an unknown one or sizes that can't work."""
    return chunkers[settings.chunker](settings, embedder)
