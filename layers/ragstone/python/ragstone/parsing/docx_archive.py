"""Looks at a Word file's zip before it is opened: what it unpacks to must be bounded, and open to be read."""

from __future__ import annotations

from io import BytesIO
from zipfile import BadZipFile, ZipFile, ZipInfo
from zlib import error as ZlibError

from ragstone.errors import Rejected

ZIP_FAULTS = (BadZipFile, EOFError, LookupError, NotImplementedError, OSError, ValueError, ZlibError)
"""What opening a damaged zip, or reading a member of it, raises."""

_MEGABYTE = 1_000_000
_MOST_XML = 60 * _MEGABYTE
"""A document tree takes ten times the memory of its XML."""
_MOST_UNPACKED = 300 * _MEGABYTE
_MOST_MEMBERS = 10_000
_STRICT_NAMESPACE = b"http://purl.oclc.org/ooxml/"


def check_archive(content: bytes, source: str) -> None:
    """Raise Rejected for a zip bomb, a password, or the strict variant of the format; sizes are as the zip states them.

    A zip that states too little is found out when it is unpacked: its checksums fail.
    """
    try:
        with ZipFile(BytesIO(content)) as archive:
            members = archive.infolist()
            _check_sizes(members, source)
            if any(member.flag_bits & 1 for member in members):
                raise Rejected("encrypted", f"{source} needs a password; save it without one and upload it again.")
            if _STRICT_NAMESPACE in archive.read("_rels/.rels"):
                found = "is in the format Strict Open XML; save it as a Word document (.docx) and upload it again."
                raise Rejected("unsupported_type", f"{source} {found}")
    except ZIP_FAULTS as error:
        raise Rejected("damaged", f"{source} is a damaged Word file; save it again and upload it.") from error


def _check_sizes(members: list[ZipInfo], source: str) -> None:
    xml = sum(member.file_size for member in members if member.filename.lower().endswith((".xml", ".rels")))
    unpacked = sum(member.file_size for member in members)
    if xml > _MOST_XML or unpacked > _MOST_UNPACKED or len(members) > _MOST_MEMBERS:
        raise Rejected(
            "too_large",
            f"{source} unpacks to {unpacked // _MEGABYTE} MB, of which {xml // _MEGABYTE} MB are text; "
            f"at most {_MOST_UNPACKED // _MEGABYTE} and {_MOST_XML // _MEGABYTE} MB can be read. Split it.",
        )
