"""The one way in: bytes and a file name to a parsed document."""

from __future__ import annotations

from dataclasses import replace

from ragstone.errors import Rejected
from ragstone.parsing import media
from ragstone.parsing.detect import media_type_of
from ragstone.parsing.languages import written_in
from ragstone.parsing.registry import parser_of
from ragstone.types import ParsedDocument

_DOCUMENTS = media.BINARY | {media.RTF, media.EML}
"""Formats that nobody writes by hand."""
_SHORTEST_DOCUMENT = 1_000


def parse(content: bytes, *, source: str) -> ParsedDocument:
    """Read a file of any supported type; a file without text, but otherwise sound, gives an empty text.

    Raises Rejected with the code `unsupported_type`, `encrypted`, `damaged` or `too_large`, and a sentence that says
    what to do.
    """
    if not content:
        return ParsedDocument(text="", media_type=media.by_name(source) or media.TEXT, parser="none")
    found = media_type_of(content, source)
    return finished(parser_of(found)(content, source=source), found, source)


def finished(document: ParsedDocument, found: str, source: str) -> ParsedDocument:
    """What a parser made of a file of the type `found`, with its language and a warning if its name says another."""
    language = document.language or written_in(document.text)
    return replace(document, language=language, warnings=(*_misnamed(document, found, source), *document.warnings))


def pages_of(content: bytes, *, source: str) -> int:
    """How many pages a PDF has; 0 for files of other types, and for those that PDFium can't open."""
    if not content or media_type_of(content, source) != media.PDF:
        return 0
    from ragstone.parsing.pdf_pdfium import page_count

    return page_count(content)


def _misnamed(document: ParsedDocument, found: str, source: str) -> tuple[str, ...]:
    """A warning if the name promises another type; a few words in place of a document are no document.

    That is what a failed download leaves: an error or login page under the name of the file that was asked for.
    """
    promised = media.by_name(source)
    if promised in (None, found):
        return ()
    names = f"{media.NAMES[found]}, not the {media.NAMES[promised]} that its name promises"
    if promised in _DOCUMENTS and found not in _DOCUMENTS and len(document.text) < _SHORTEST_DOCUMENT:
        cause = "perhaps an error page was saved in place of the document"
        raise Rejected("damaged", f"{source} holds a few words of {names}: {cause}. Download it again.")
    return (f"The file holds {names}; it was read as what it is.",)
