"""A parsed document to chunks that know where they stand in it."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence

from ragstone.chunking import Chunker
from ragstone.types import Chunk, Page, ParsedDocument, StoredObject


def chunks_of(document: ParsedDocument, stored: StoredObject, chunker: Chunker, version: str) -> Iterator[Chunk]:
    """The chunks of one version in order, with ordinals from 0, pages, section path and metadata."""
    for ordinal, span in enumerate(chunker.spans(document)):
        yield Chunk(
            document_id=stored.object.document_id,
            version=version,
            ordinal=ordinal,
            source=stored.object.source,
            text=document.text[span.start : span.end],
            char_from=span.start,
            char_to=span.end,
            page_from=page_at(document.pages, span.start),
            page_to=page_at(document.pages, span.end - 1),
            title=stored.title or document.title,
            section_path=span.section.path if span.section else (),
            language=document.language,
            metadata=stored.metadata,
            acl=stored.acl,
        )


def page_at(pages: Sequence[Page], position: int) -> int | None:
    """The number of the page on which a character stands; None for formats without pages."""
    before = bisect_right(pages, position, key=lambda page: page.start)
    return pages[before - 1].number if before else None
