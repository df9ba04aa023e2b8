"""PDF by pypdf: pages, bookmarks as headings, wrapped lines joined, running heads gone."""

from __future__ import annotations

from collections.abc import Iterator

from ragstone.errors import Rejected
from ragstone.parsing import media
from ragstone.parsing.builder import DocumentBuilder
from ragstone.parsing.cleaning import garbled_share
from ragstone.parsing.pdf_assembly import assemble
from ragstone.parsing.pdf_extraction import Extracted, extract, too_large
from ragstone.parsing.registry import parsers
from ragstone.parsing.wording import numbers_named
from ragstone.types import ParsedDocument

_MOST_GARBLED = 0.1


@parsers.register(media.PDF)
def parse_pdf(content: bytes, *, source: str) -> ParsedDocument:
    """Read a PDF; pages without text, or with something wrong about them, are named in the warnings."""
    extracted = extract(content, source)
    _require_text(extracted, source)
    builder = DocumentBuilder(media.PDF, "pypdf", warnings=list(_warnings(extracted)))
    assemble(builder, extracted.pages, extracted.bookmarks)
    return builder.build(title=extracted.title, language=extracted.language)


def _require_text(extracted: Extracted, source: str) -> None:
    if any(extracted.pages):
        return
    if extracted.oversized:
        raise too_large(source)
    if extracted.unreadable:
        raise Rejected("damaged", f"{source} is damaged: none of its pages can be read; export it again.")
    raise Rejected("no_text", f"{source} has no text, only images; make it searchable (OCR) and upload it again.")


def _warnings(extracted: Extracted) -> Iterator[str]:
    texts = ("".join(line.text for line in lines) for lines in extracted.pages)
    garbled = [number for number, text in enumerate(texts, start=1) if garbled_share(text) > _MOST_GARBLED]
    for fault, numbers, consequence in (
        ("No text on", extracted.without_text, "so nothing there can be found (a scan needs OCR)"),
        ("Damage on", extracted.unreadable, "so it could not be read"),
        ("Too much to unpack safely on", extracted.oversized, "so it was left out"),
        ("Unknown characters on", garbled, "because the fonts there don't say which letters they are"),
    ):
        if numbers:
            yield f"{fault} {numbers_named('page', numbers)}, {consequence}."
