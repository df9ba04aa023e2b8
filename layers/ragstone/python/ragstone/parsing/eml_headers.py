"""A mail's headers as people read them, however badly they are written."""

from __future__ import annotations

import re
from datetime import datetime
from email.errors import HeaderParseError
from email.header import decode_header
from email.message import EmailMessage
from email.utils import parsedate_to_datetime
from mimetypes import guess_extension

from ragstone.parsing.cleaning import one_line
from ragstone.parsing.encoding import decode

_LONGEST = 2_000
_FILE_NAME = re.compile(r"(?:file)?name\*?\s*=\s*(?:\"([^\"]*)\"|([^;\s]+))", re.I)


def header(message: EmailMessage, name: str) -> str:
    """The first header of a name as one line; empty if there is none.

    It is decoded from its raw bytes: the standard library's own reading of addresses fails on malformed ones.
    """
    raw = next((value for found, value in message.raw_items() if found.lower() == name.lower()), "")
    return one_line(_decoded(decode(str(raw).encode(errors="surrogateescape")).text))[:_LONGEST]


def sent_at(message: EmailMessage) -> datetime | None:
    try:
        return parsedate_to_datetime(header(message, "Date"))
    except (ValueError, TypeError, IndexError):  # it raises all three on what is no date
        return None


def attachment_name(part: EmailMessage) -> str:
    """The file name that a part states, without folders; a made-up one, with the extension of its type, if none."""
    stated = next((match for name in ("Content-Disposition", "Content-Type") if (match := _name_in(part, name))), "")
    name = stated.replace("\\", "/").rsplit("/", 1)[-1]
    return name or f"unnamed{guess_extension(part.get_content_type()) or ''}"


def _name_in(part: EmailMessage, name: str) -> str:
    found = _FILE_NAME.search(header(part, name))
    return (found[1] or found[2] or "") if found else ""


def _decoded(raw: str) -> str:
    try:
        pieces = decode_header(raw)
    except HeaderParseError:
        return raw
    return "".join(piece if isinstance(piece, str) else _text(piece, charset) for piece, charset in pieces)


def _text(piece: bytes, charset: str | None) -> str:
    return decode(piece, declared=charset).text
