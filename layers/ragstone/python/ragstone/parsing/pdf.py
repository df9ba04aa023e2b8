"""PDF: pages by PDFium and pypdf, in reading order, with headings and tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ragstone.parsing import media
from ragstone.parsing.builder import DocumentBuilder
from ragstone.parsing.pdf_assembly import assemble
from ragstone.parsing.pdf_facts import Facts
from ragstone.parsing.pdf_faults import damaged
from ragstone.parsing.pdf_reading import MOST_GARBLED, Reading, Shown, read_pages
from ragstone.parsing.registry import parsers
from ragstone.parsing.wording import numbers_named
from ragstone.types import Metadata, ParsedDocument


@parsers.register(media.PDF)
def parse_pdf(content: bytes, *, source: str) -> ParsedDocument:
    """Read a PDF; pages without text, or with something wrong about them, are named in the warnings.

    A file without any text is a document with empty text. Raises what `read_pages` and `document_of` raise.
    """
    return document_of([read_pages(content, source=source)], source=source)


def document_of(readings: Sequence[Reading], *, source: str) -> ParsedDocument:
    """Put the pages of readings that follow each other together; the first of them tells of the file.

    Raises Rejected with the code `damaged` if no page can be read.
    """
    pages, facts = [page for reading in readings for page in reading.pages], readings[0].facts
    if pages and all(page.shown is Shown.BROKEN for page in pages):
        raise damaged(source)
    whole = Reading(pages, readings[0].first, facts)
    builder = DocumentBuilder(media.PDF, _readers(whole), warnings=list(_warnings(whole)))
    shown = assemble(builder, [page.items for page in pages], facts.bookmarks, labels=facts.labels)
    return builder.build(title=facts.title or shown, language=facts.language, metadata=_metadata(facts))


def silence(without_text: list[int], pages: int) -> Iterator[str]:
    """The warning about those of a file's pages that have no text; none if all have some."""
    if without_text and len(without_text) == pages:
        yield "No text on any page: the file is scanned and needs OCR, or nothing in it can be found."
    elif without_text:
        yield f"No text on {numbers_named('page', without_text)} (scanned?), so nothing there can be found without OCR."


def _readers(reading: Reading) -> str:
    """Who read the pages that have text: "pdfium", "pypdf" or "pdfium+pypdf"."""
    return "+".join(sorted({page.reader for page in reading.pages if page.items})) or "pdfium"


def _metadata(facts: Facts) -> Metadata:
    return {**facts.metadata, **({"attachments": facts.attachments} if facts.attachments else {})}


def _warnings(reading: Reading) -> Iterator[str]:
    without_text = reading.numbered(lambda page: page.shown in (Shown.PICTURES, Shown.NOTHING))
    yield from silence(without_text, len(reading.pages))
    if broken := reading.numbered(lambda page: page.shown is Shown.BROKEN):
        yield f"Damage on {numbers_named('page', broken)}, so it could not be read."
    if garbled := reading.numbered(lambda page: page.garbled > MOST_GARBLED):
        pages = numbers_named("page", garbled)
        yield f"Unknown characters on {pages}, because the fonts there don't say which letters they are."
    if reading.facts.attachments:
        yield f"Files inside of it were not read: {', '.join(reading.facts.attachments)}."
