"""The one way in: bytes and a file name to a parsed document."""

from __future__ import annotations

from ragstone.parsing import media
from ragstone.parsing.detect import media_type_of
from ragstone.parsing.registry import parsers
from ragstone.types import ParsedDocument


def parse(content: bytes, *, source: str) -> ParsedDocument:
    """Read a file of any supported type; a file without text, but otherwise sound, gives an empty text.

    Raises Rejected with the code `unsupported_type`, `encrypted`, `no_text`, `damaged` or `too_large`,
    and a sentence that says what to do.
    """
    if not content:
        return ParsedDocument(text="", media_type=media.by_name(source) or media.TEXT, parser="none")
    return parsers[media_type_of(content, source)](content, source=source)
