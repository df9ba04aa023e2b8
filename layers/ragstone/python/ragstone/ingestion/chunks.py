"""A parsed document to chunks that know where they stand in it."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby

from ragstone.chunking import Chunker, ChunkSpan
from ragstone.chunking.context import ContextWriter
from ragstone.chunking.filters import ChunkFilters
from ragstone.types import Chunk, Page, ParsedDocument, StoredObject

GENERATION = 2
"""Raised when a strategy or a filter changes what it does with the same settings."""


@dataclass(frozen=True, slots=True)
class Chunked:
    """A document's chunks, and how many more there were before the filters."""

    chunks: tuple[Chunk, ...]
    dropped: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Chunking:
    """How documents become chunks: cut by `chunker`, filtered, and where wanted each under a sentence by `context`.

    Without `breadcrumb`, title and section are shown with a chunk but not searched with its text.
    """

    chunker: Chunker
    filters: ChunkFilters = field(default_factory=ChunkFilters)
    context: ContextWriter | None = None
    breadcrumb: bool = True

    @property
    def fingerprint(self) -> str:
        """Changes with all that decides on chunks and on what of them is searched."""
        context = self.context.fingerprint if self.context else "no context"
        parts = (str(GENERATION), self.chunker.fingerprint, self.filters.fingerprint, context, str(self.breadcrumb))
        return "|".join(parts)

    def chunks_of(
        self, document: ParsedDocument, stored: StoredObject, version: str, *, chunk_index_start: int = 0
    ) -> Chunked:
        """The chunks of one version in order, with pages, section path and metadata.

        Ordinals count from `chunk_index_start`: for a document that is read in parts, how many chunks the parts before
        this one have.
        """
        spans = self.filters.mark(document.text, list(self.chunker.spans(document)))
        kept = [(position, span) for position, span in enumerate(spans) if not span.is_dropped]
        ordinals = {position: ordinal for ordinal, (position, _) in enumerate(kept, chunk_index_start)}
        fragments = _fragment_numbers(kept)
        frame = replace(_frame(document, stored, version), is_breadcrumb_searched=self.breadcrumb)
        chunks = [
            _filled(
                frame,
                document,
                span,
                ordinal=ordinals[position],
                parent=None if span.parent is None else ordinals[span.parent],
                fragment=fragments.get(position),
            )
            for position, span in kept
        ]
        if self.context:
            chunks = self.context.write(document, chunks)
        return Chunked(tuple(chunks), dropped=len(spans) - len(chunks))


def _fragment_numbers(spans: Sequence[tuple[int, ChunkSpan]]) -> dict[int, int]:
    """By position, from 0 in each section."""
    fragments = (placed for placed in spans if placed[1].parent is not None)
    by_section = groupby(fragments, key=lambda placed: placed[1].section)
    return {position: number for _, group in by_section for number, (position, _) in enumerate(group)}


def _frame(document: ParsedDocument, stored: StoredObject, version: str) -> Chunk:
    """What all chunks of a document have in common."""
    return Chunk(
        document_id=stored.object.document_id,
        version=version,
        ordinal=0,
        source=stored.object.source,
        text="",
        char_from=0,
        char_to=0,
        title=stored.title or document.title,
        language=document.language,
        metadata=stored.metadata,
        acl=stored.acl,
    )


def _filled(
    frame: Chunk, document: ParsedDocument, span: ChunkSpan, *, ordinal: int, parent: int | None, fragment: int | None
) -> Chunk:
    return replace(
        frame,
        ordinal=ordinal,
        parent=parent,
        fragment=fragment,
        text=document.text[span.start : span.end],
        char_from=span.start,
        char_to=span.end,
        page_from=page_at(document.pages, span.start),
        page_to=page_at(document.pages, span.end - 1),
        page_breaks=tuple(page.start for page in pages_from(document.pages, span.start) if page.start < span.end),
        kind=span.kind,
        is_back_matter=span.is_back_matter,
        section_path=span.section.path if span.section else (),
        section_start=span.section.start if span.section else None,
    )


def pages_from(pages: Sequence[Page], position: int) -> Sequence[Page]:
    """The pages that begin after a character."""
    return pages[bisect_right(pages, position, key=lambda page: page.start) :]


def page_at(pages: Sequence[Page], position: int) -> int | None:
    """The number of the page on which a character stands; None for formats without pages."""
    before = bisect_right(pages, position, key=lambda page: page.start)
    return pages[before - 1].number if before else None
