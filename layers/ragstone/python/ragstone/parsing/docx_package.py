"""What python-docx finds in a Word file, and what becomes of its errors."""

from __future__ import annotations

from dataclasses import dataclass
from io import BytesIO
from typing import TYPE_CHECKING

from ragstone.errors import Rejected
from ragstone.parsing.docx_archive import ZIP_FAULTS, check_archive
from ragstone.parsing.docx_text import Element

if TYPE_CHECKING:
    from docx.document import Document

# What python-docx and lxml raise on packages with missing parts, broken XML or values of the wrong kind.
_FAULTS = (*ZIP_FAULTS, AttributeError, SyntaxError, TypeError)


@dataclass(frozen=True, slots=True)
class WordPackage:
    """The roots of a Word file's parts, and what it says of itself; kinds of part that it doesn't have are empty."""

    document: Element
    styles: Element
    numbering: tuple[Element, ...]
    headers: tuple[Element, ...]
    footers: tuple[Element, ...]
    footnotes: tuple[Element, ...]
    endnotes: tuple[Element, ...]
    title: str
    language: str


def open_package(content: bytes, source: str) -> WordPackage:
    """Open a Word file; raises Rejected if it is too large, locked, of the strict variant, or damaged."""
    check_archive(content, source)
    from docx import Document

    try:
        return _read(Document(BytesIO(content)))
    except _FAULTS as error:
        raise Rejected("damaged", f"{source} is a damaged Word file; save it again and upload it.") from error


def _read(document: Document) -> WordPackage:
    title, language = _stated(document)
    return WordPackage(
        document=document.element,
        styles=document.styles.element,
        numbering=_parts(document, "numbering"),
        headers=_parts(document, "header"),
        footers=_parts(document, "footer"),
        footnotes=_parts(document, "footnotes"),
        endnotes=_parts(document, "endnotes"),
        title=title,
        language=language,
    )


def _parts(document: Document, kind: str) -> tuple[Element, ...]:
    from docx.oxml import parse_xml

    return tuple(
        parse_xml(relation.target_part.blob)
        for relation in document.part.rels.values()
        if not relation.is_external and relation.reltype.endswith(f"/{kind}")
    )


def _stated(document: Document) -> tuple[str, str]:
    """Title and language from the core properties, which python-docx makes up where there are none."""
    relations = document.part.package.rels.values() if document.part.package else ()
    if not any(relation.reltype.endswith("/core-properties") for relation in relations):
        return "", ""
    return document.core_properties.title, document.core_properties.language
