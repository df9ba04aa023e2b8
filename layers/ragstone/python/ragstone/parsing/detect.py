"""What a file is: by its first bytes, by what its zip holds, by its markers, and only then by its name."""

from __future__ import annotations

import re
from io import BytesIO
from zipfile import ZipFile

from ragstone.errors import Rejected
from ragstone.parsing import media
from ragstone.parsing.encoding import decode, looks_binary
from ragstone.parsing.zipped import ZIP_FAULTS

_PDF_HEADER = b"%PDF-"
_PDF_HEADER_WITHIN = 1024
_RTF_HEADER = b"{\\rtf"
_UNREADABLE_TEXT = ((b"%!PS", "a PostScript file"),)
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
_READABLE_MEMBERS = {
    "word/document.xml": media.DOCX,
    "ppt/presentation.xml": media.PPTX,
    "xl/workbook.xml": media.XLSX,
}
_UNREADABLE_MEMBERS = {
    "xl/workbook.bin": "a binary Excel workbook (.xlsb), which has to be saved as .xlsx",
    "META-INF/container.xml": "an EPUB book",
    "content.xml": "an OpenDocument file of another kind than a text",
}
_HTML_START = re.compile(r"\s*(?:<\?xml[^>]*>\s*|<!--.*?-->\s*)*<(?:!doctype\s+html|html|head|body)\b", re.I | re.S)
_MARKER_WITHIN = 4096
_MAIL_HEADERS = re.compile(r"(?:[!-9;-~]+:[^\n]*\n(?:[ \t]+[^\n]*\n)*)+(?=\r?\n|$)")
_OF_MAIL_ONLY = re.compile(r"^(?:mime-version|message-id|received):", re.I | re.M)
_HEADERS_WITHIN = 65_536


def media_type_of(content: bytes, source: str) -> str:
    """The media type to read a file as.

    Raises Rejected: `unsupported_type` names what was found, `encrypted` for password-protected Office files,
    `damaged` for a zip that can't be opened.
    """
    binary = looks_binary(content)
    if _is_pdf(content, binary or media.by_name(source) == media.PDF):
        return media.PDF
    if content.startswith(_RTF_HEADER):
        return media.RTF
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
    if binary:
        if promised in media.BINARY:
            return promised  # its parser says what is wrong with it
        raise _unsupported(source, "holds binary data of an unknown type")
    if _HTML_START.match(decode(content[:_MARKER_WITHIN]).text):
        return media.HTML
    if _is_mail(content):
        return media.EML
    if promised is None:
        extension = media.extension(source)
        raise _unsupported(source, f"is of type {extension!r}" if extension else "has no extension that tells its type")
    return media.TEXT if promised in media.BINARY or promised == media.RTF else promised


def _is_mail(content: bytes) -> bool:
    """Whether a file begins with the headers of a mail, among them one that people don't write by hand."""
    head = content[:_HEADERS_WITHIN].decode("latin-1").replace("\r\n", "\n")
    headers = _MAIL_HEADERS.match(head)
    return headers is not None and _OF_MAIL_ONLY.search(headers[0]) is not None


def _inside_zip(content: bytes, source: str) -> str:
    try:
        with ZipFile(BytesIO(content)) as archive:
            names = set(archive.namelist())
            declared = _declared_type(archive) if "mimetype" in names else ""
    except ZIP_FAULTS as error:
        raise Rejected("damaged", f"{source} is a damaged or cut-off zip file; upload it again.") from error
    if declared == media.ODT:
        return media.ODT
    if found := next((kind for member, kind in _READABLE_MEMBERS.items() if member in names), None):
        return found
    unreadable = next((kind for member, kind in _UNREADABLE_MEMBERS.items() if member in names), "a zip archive")
    raise _unsupported(source, f"is {unreadable}")


def _declared_type(archive: ZipFile) -> str:
    """What OpenDocument and EPUB files say they are, in a member that may be as large as a bomb, or locked."""
    if archive.getinfo("mimetype").flag_bits & 1:
        return ""
    with archive.open("mimetype") as member:
        return member.read(len(media.ODT) + 1).decode("ascii")


def _old_or_encrypted(content: bytes, source: str) -> Rejected:
    if _ENCRYPTED_STREAM in content:
        return Rejected("encrypted", f"{source} is protected by a password; save it without one and upload it again.")
    found = "is an old binary Office file (.doc, .xls, .ppt or .msg); save it as .docx, .xlsx, .pptx or .eml"
    return _unsupported(source, found)


def _unsupported(source: str, found: str) -> Rejected:
    return Rejected("unsupported_type", f"{source} {found}; files that can be read are {media.supported()}.")
