"""PDF: pages by PDFium and pypdf, in reading order, with headings and tables; scans by OCR where one is given."""

from __future__ import annotations

from collections.abc import Iterator, Set

from ragstone.parsing import media
from ragstone.parsing.builder import DocumentBuilder
from ragstone.parsing.ocr import Ocr, recognised
from ragstone.parsing.pdf_assembly import assemble
from ragstone.parsing.pdf_facts import Facts
from ragstone.parsing.pdf_layout import PageItem
from ragstone.parsing.pdf_reading import MOST_GARBLED, Reading, Shown, read_pages
from ragstone.parsing.registry import parsers
from ragstone.parsing.wording import numbers_named
from ragstone.types import Metadata, ParsedDocument


@parsers.register(media.PDF)
def parse_pdf(
    content: bytes, *, source: str, first_page: int = 0, last_page: int | None = None, ocr: Ocr | None = None
) -> ParsedDocument:
    """Read a PDF, or its pages with the indices `[first_page, last_page)` as a document of their own.

    Pages keep the numbers that they have in the file; characters are counted from the first page that is read. `ocr`
    is given the pages without text. Pages that stay without, or have something wrong about them, are named in the
    warnings; a file without any text is a document with empty text. Raises what `read_pages` and `ocr` raise.
    """
    reading = read_pages(content, source=source, first_page=first_page, last_page=last_page)
    scans = _recognised(content, reading, ocr) if ocr else {}
    pages = [scans.get(number) or page.items for number, page in enumerate(reading.pages, start=reading.first)]
    facts = reading.facts
    builder = DocumentBuilder(media.PDF, _readers(reading, ocr.name if ocr and any(scans.values()) else ""))
    builder.warnings += _warnings(reading, {number for number, items in scans.items() if items})
    shown = assemble(builder, pages, facts.bookmarks, labels=facts.labels[first_page:], first=reading.first)
    return builder.build(title=facts.title or shown, language=facts.language, metadata=_metadata(facts))


def _recognised(content: bytes, reading: Reading, ocr: Ocr) -> dict[int, list[PageItem]]:
    """What OCR reads on the pages that show something, but no text, by their numbers."""
    pictures = reading.numbered(lambda page: page.shown is Shown.PICTURES)
    if not pictures:
        return {}
    return {number: recognised(lines) for number, lines in ocr.read(content, pictures).items()}


def _readers(reading: Reading, ocr: str) -> str:
    """Who read the pages that have text: "pdfium", "pypdf", "pdfium+textract" …"""
    readers = sorted({page.reader for page in reading.pages if page.items})
    return "+".join(filter(None, [*readers, ocr])) or "pdfium"


def _metadata(facts: Facts) -> Metadata:
    return {**facts.metadata, **({"attachments": facts.attachments} if facts.attachments else {})}


def _warnings(reading: Reading, recognised: Set[int]) -> Iterator[str]:
    silent = reading.numbered(lambda page: page.shown in (Shown.PICTURES, Shown.NOTHING))
    without_text = [number for number in silent if number not in recognised]
    if without_text and len(without_text) == len(reading.pages):
        yield "No text on any page: the file is scanned and needs OCR, or nothing in it can be found."
    elif without_text:
        yield f"No text on {numbers_named('page', without_text)} (scanned?), so nothing there can be found without OCR."
    if broken := reading.numbered(lambda page: page.shown is Shown.BROKEN):
        yield f"Damage on {numbers_named('page', broken)}, so it could not be read."
    if garbled := reading.numbered(lambda page: page.garbled > MOST_GARBLED):
        pages = numbers_named("page", garbled)
        yield f"Unknown characters on {pages}, because the fonts there don't say which letters they are."
    if reading.facts.attachments:
        yield f"Files inside of it were not read: {', '.join(reading.facts.attachments)}."
