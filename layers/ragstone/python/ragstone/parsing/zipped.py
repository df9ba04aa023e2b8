"""Looks at an Office file's zip before it is opened: what it unpacks to must be bounded, and open to be read."""

from __future__ import annotations

import re
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
_RELATIONS = "_rels/.rels"
_STRICT_NAMESPACE = re.compile(rb"http://purl\.oclc\.org/ooxml/(\w+)/")
_USUAL_NAMESPACE = rb"http://schemas.openxmlformats.org/\1/2006/"


def checked_archive(content: bytes, source: str, *, most_xml: int = _MOST_XML) -> bytes:
    """The file, in the usual variant of Office's format; raises Rejected for a zip bomb or a password.

    Sizes are as stated: a zip that states too little is found out when it is unpacked, because its checksums fail.
    """
    try:
        with ZipFile(BytesIO(content)) as archive:
            members = archive.infolist()
            _check_sizes(members, source, most_xml)
            if any(member.flag_bits & 1 for member in members):
                raise Rejected("encrypted", f"{source} needs a password; save it without one and upload it again.")
            is_strict = _RELATIONS in archive.namelist() and _STRICT_NAMESPACE.search(archive.read(_RELATIONS))
            return _in_usual_variant(archive) if is_strict else content
    except ZIP_FAULTS as error:
        raise damaged(source) from error


def _in_usual_variant(archive: ZipFile) -> bytes:
    """Strict Open XML differs from what everybody writes in the names of its namespaces."""
    buffer = BytesIO()
    with ZipFile(buffer, "w") as usual:
        for name in archive.namelist():
            member = archive.read(name)
            is_xml = name.lower().endswith((".xml", ".rels"))
            usual.writestr(name, _STRICT_NAMESPACE.sub(_USUAL_NAMESPACE, member) if is_xml else member)
    return buffer.getvalue()


def damaged(source: str) -> Rejected:
    return Rejected("damaged", f"{source} is damaged; open it in the program that made it and save it anew.")


def _check_sizes(members: list[ZipInfo], source: str, most_xml: int) -> None:
    xml = sum(member.file_size for member in members if member.filename.lower().endswith((".xml", ".rels")))
    unpacked = sum(member.file_size for member in members)
    if xml > most_xml or unpacked > _MOST_UNPACKED or len(members) > _MOST_MEMBERS:
        raise Rejected(
            "too_large",
            f"{source} unpacks to {unpacked // _MEGABYTE} MB, of which {xml // _MEGABYTE} MB are text; "
            f"at most {_MOST_UNPACKED // _MEGABYTE} and {most_xml // _MEGABYTE} MB can be read. Split it.",
        )
