"""What a file is: by its first bytes, by what its zip holds, by HTML's markers, and only then by its name."""

from __future__ import annotations

import re
from io import BytesIO
from zipfile import ZipFile

from ragstone.errors import Rejected
from ragstone.parsing import media
from ragstone.parsing.docx_archive import ZIP_FAULTS
from ragstone.parsing.encoding import decode, looks_binary

_PDF_HEADER = b"%PDF-"
_PDF_HEADER_WITHIN = 1024
_UNREADABLE_TEXT = ((b"{\\rtf", "an RTF document"), (b"%!PS", "a PostScript file"))
_UNREADABLE_BINARY = (
    (b"\x89PNG", "a PNG image"),
    (b"\xff\xd8\xff", "a JPEG image"),
    (b"GIF8", "a GIF image"),
    (b"II*\x00", "a TIFF image"),
    (b"MM\x00*", "a TIFF image"),
    (b"RIFF", "a media file (RIFF)"),
    (b"OggS", "a media file (Ogg)"),
    (b"ID3", "an MP3 file"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"7z\xbc\xaf\x27\x1c", "a 7-Zip archive"),
    (b"Rar!\x1a\x07", "a RAR archive"),
    (b"\xfd7zXZ", "an xz archive"),
    (b"BZh", "a bzip2 archive"),
    (b"SQLite format 3", "an SQLite database"),
    (b"PAR1", "a Parquet file"),
    (b"\x7fELF", "a program (ELF)"),
)
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_ENCRYPTED_STREAM = "EncryptedPackage".encode("utf-16-le")
_ZIP = (b"PK\x03\x04", b"PK\x05\x06")
_ZIP_MEMBERS = (
    ("word/document.xml", None),
    ("ppt/presentation.xml", "a PowerPoint presentation"),
    ("xl/workbook.xml", "an Excel workbook"),
    ("content.xml", "an OpenDocument file"),
    ("META-INF/container.xml", "an EPUB book"),
)
_HTML_START = re.compile(r"\s*(?:<\?xml[^>]*>\s*|<!--.*?-->\s*)*<(?:!doctype\s+html|html|head|body)\b", re.I | re.S)
_MARKER_WITHIN = 4096


def media_type_of(content: bytes, source: str) -> str:
    """The media type to read a file as.

    Raises Rejected: `unsupported_type` names what was found, `encrypted` for password-protected Office files,
    `damaged` for a Word file whose zip can't be opened.
    """
    binary = looks_binary(content)
    if _is_pdf(content, binary or media.by_name(source) == media.PDF):
        return media.PDF
    for magic, kind in (*_UNREADABLE_TEXT, *(_UNREADABLE_BINARY if binary else ())):
        if content.startswith(magic):
            raise _unsupported(source, f"is {kind}")
    if content.startswith(_OLE):
        raise _old_or_encrypted(content, source)
    if content.startswith(_ZIP):
        return _inside_zip(content, source)
    return _text_type(content, source, binary=binary)


def _is_pdf(content: bytes, likely: bool) -> bool:
    """Whether a PDF begins here; its header may stand anywhere in the first kilobyte, but so may a text quote it."""
    head = content[:_PDF_HEADER_WITHIN]
    return head.lstrip().startswith(_PDF_HEADER) or (likely and _PDF_HEADER in head)


def _text_type(content: bytes, source: str, *, binary: bool) -> str:
    promised = media.by_name(source)
    if promised in media.BINARY and not binary:
        found = "holds text and is not what its name says; perhaps an error page was saved. Download it again."
        raise Rejected("damaged", f"{source} {found}")
    if promised in media.BINARY:
        return promised  # its parser says what is wrong with it
    if binary:
        raise _unsupported(source, "holds binary data of an unknown type")
    if _HTML_START.match(decode(content[:_MARKER_WITHIN]).text):
        return media.HTML
    if promised is None:
        extension = media.extension(source)
        raise _unsupported(source, f"is of type {extension!r}" if extension else "has no extension that tells its type")
    return promised


def _inside_zip(content: bytes, source: str) -> str:
    try:
        with ZipFile(BytesIO(content)) as archive:
            names = set(archive.namelist())
    except ZIP_FAULTS as error:
        raise Rejected("damaged", f"{source} is a damaged or cut-off zip file; upload it again.") from error
    kind = next((kind for member, kind in _ZIP_MEMBERS if member in names), "a zip archive")
    if kind is None:
        return media.DOCX
    raise _unsupported(source, f"is {kind}")


def _old_or_encrypted(content: bytes, source: str) -> Rejected:
    if _ENCRYPTED_STREAM in content:
        return Rejected("encrypted", f"{source} is protected by a password; save it without one and upload it again.")
    return _unsupported(source, "is an old binary Office file (such as .doc), which has to be saved as .docx")


def _unsupported(source: str, found: str) -> Rejected:
    return Rejected("unsupported_type", f"{source} {found}; files that can be read are {media.SUPPORTED}.")
