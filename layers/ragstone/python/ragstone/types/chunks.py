"""Chunks of documents, as they are indexed and quoted."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from hashlib import sha256

from ragstone.text import normalised
from ragstone.types.basics import Metadata, MetadataValue, Vector


class ChunkKind(StrEnum):
    TEXT = "text"
    TABLE = "table"
    PARENT = "parent"
    ROW = "row"


@dataclass(frozen=True)
class Chunk:
    """A stretch of one document version: `text` is exactly `document.text[char_from:char_to]`.

    `page_from` and `page_to` are None for formats without pages. An empty `acl` means that everybody may read it.
    `page_breaks` are the document's characters, within the chunk, at which each page after `page_from` begins.
    `section_start` is the character at which its section begins, None outside of any: two sections may share a path.
    A fragment of a long section has the `parent` chunk's ordinal and its own number in the section, from 0. Back
    matter is references, contents, indexes and the like. `context` is a sentence by a model that places the chunk in
    its document: it is searched, but never shown or quoted.
    """

    document_id: str
    version: str
    ordinal: int
    source: str
    text: str
    char_from: int
    char_to: int
    page_from: int | None = None
    page_to: int | None = None
    page_breaks: tuple[int, ...] = ()
    section_start: int | None = None
    kind: ChunkKind = ChunkKind.TEXT
    parent: int | None = None
    fragment: int | None = None
    is_back_matter: bool = False
    is_breadcrumb_searched: bool = True
    context: str | None = None
    title: str | None = None
    section_path: tuple[str, ...] = ()
    language: str | None = None
    metadata: Metadata = field(default_factory=dict[str, MetadataValue])
    acl: tuple[str, ...] = ()

    @cached_property
    def chunk_id(self) -> str:
        return chunk_id_of(self.document_id, self.version, self.ordinal)

    def pages_of(self, start: int, end: int) -> tuple[int | None, int | None]:
        """The first and the last page of the document's characters `[start, end)`, which the chunk holds."""
        if self.page_from is None or not self.page_breaks:
            return self.page_from, self.page_to
        first, last = (bisect_right(self.page_breaks, position) for position in (start, end - 1))
        return self.page_from + first, self.page_from + last

    @property
    def content_hash(self) -> str:
        return sha256(self.text.encode()).hexdigest()

    @property
    def breadcrumb(self) -> str:
        """Title and section path, outermost first, each once: "Handbook > Fares > Night fares"."""
        return " > ".join(dict.fromkeys(part for part in (self.title, *self.section_path) if part))

    @property
    def shown_text(self) -> str:
        """What a reader of passages sees: the text under its breadcrumb. Only `text` is quoted."""
        return f"{self.breadcrumb}\n{self.text}" if self.breadcrumb else self.text

    @property
    def search_heading(self) -> str:
        """What is searched above the text, each on a line: the breadcrumb unless settings say no, and the context."""
        breadcrumb = self.breadcrumb if self.is_breadcrumb_searched else ""
        return "\n".join(line for line in (breadcrumb, self.context) if line)

    @property
    def search_text(self) -> str:
        """What is embedded and searched: the heading and the text, normalised; only `text` keeps the original words."""
        return normalised(f"{self.search_heading}\n{self.text}" if self.search_heading else self.text)


def chunk_id_of(document_id: str, version: str, ordinal: int) -> str:
    """Ids of one version sort by ordinal, one of -1 before all others; those of a document come together."""
    return f"{document_id}-{version}-{ordinal:06d}"


def document_id_of(chunk_id: str) -> str:
    """The document that a chunk is of."""
    return chunk_id.partition("-")[0]


@dataclass(frozen=True, slots=True)
class EmbeddedChunk:
    """A chunk with its unit-length vector."""

    chunk: Chunk
    vector: Vector
