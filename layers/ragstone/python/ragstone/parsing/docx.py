"""DOCX by python-docx: the body in its order, with headings by style, lists, tables, notes and text boxes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from io import BytesIO
from typing import TYPE_CHECKING

from ragstone.errors import Rejected
from ragstone.parsing import media
from ragstone.parsing.builder import LINE, PARAGRAPH, DocumentBuilder
from ragstone.parsing.docx_archive import ZIP_FAULTS, check_archive
from ragstone.parsing.docx_numbering import Numbering
from ragstone.parsing.docx_styles import StyleSheet
from ragstone.parsing.docx_tables import is_data_table, table_lines
from ragstone.parsing.docx_text import Element, W, note_ids, paragraph_text, paragraphs_in, text_boxes
from ragstone.parsing.registry import parsers
from ragstone.types import ParsedDocument

if TYPE_CHECKING:
    from docx.document import Document

# What python-docx and lxml raise on packages with missing parts, broken XML or values of the wrong kind.
_FAULTS = (*ZIP_FAULTS, AttributeError, SyntaxError, TypeError)
_CONTAINERS = frozenset(
    {f"{W}{name}" for name in ("body", "sdt", "sdtContent", "ins", "moveTo", "customXml", "smartTag")}
)
_ONLY_A_PAGE_NUMBER = re.compile(r"[\W\d_]*(?:page|seite|p\.)?[\W\d_]*(?:of|von|/)?[\W\d_]*", re.I)


@parsers.register(media.DOCX)
def parse_docx(content: bytes, *, source: str) -> ParsedDocument:
    """Read a Word document; insertions count and deletions don't, headers and footers are read once."""
    check_archive(content, source)
    from docx import Document

    builder = DocumentBuilder(media.DOCX, "python-docx")
    try:
        document = Document(BytesIO(content))
        _read(document, builder)
        title, language = _stated(document)
        return builder.build(title=title or builder.first_heading, language=language)
    except _FAULTS as error:
        raise Rejected("damaged", f"{source} is a damaged Word file; save it again and upload it.") from error


def _stated(document: Document) -> tuple[str, str]:
    """Title and language from the core properties, which python-docx makes up where there are none."""
    relations = document.part.package.rels.values() if document.part.package else ()
    if not any(relation.reltype.endswith("/core-properties") for relation in relations):
        return "", ""
    return document.core_properties.title, document.core_properties.language


def _read(document: Document, builder: DocumentBuilder) -> None:
    notes = {kind: _notes(document, kind) for kind in ("footnote", "endnote")}
    numbering = Numbering(next(_parts(document, "numbering"), None))
    walk = _Walk(builder, StyleSheet(document.styles.element), numbering, notes)
    _add_margin(document, "header", builder)
    walk.through(document.element)
    _add_margin(document, "footer", builder)


@dataclass(slots=True)
class _Walk:
    """Goes through body, table cells and text boxes in reading order."""

    builder: DocumentBuilder
    styles: StyleSheet
    numbering: Numbering
    notes: Mapping[str, Mapping[str, str]]
    after_item: bool = False

    def through(self, container: Element) -> None:
        for child in container:
            if child.tag == f"{W}p":
                self._paragraph(child)
            elif child.tag == f"{W}tbl":
                self._table(child)
            elif child.tag in _CONTAINERS:
                self.through(child)

    def _paragraph(self, paragraph: Element) -> None:
        text, (level, place) = paragraph_text(paragraph), self.styles.role_of(paragraph)
        shown = f"{self.numbering.label(place)} {text}".lstrip() if text and place else text
        if level:
            self.builder.heading(text if shown.startswith("- ") else shown, level)
        else:
            self.builder.block(shown, joint=LINE if place and self.after_item else PARAGRAPH)
        self.after_item = place is not None and level is None
        for kind, note_id in note_ids(paragraph):
            self.builder.block(self.notes.get(kind, {}).get(note_id, ""))
        for box in text_boxes(paragraph):
            self.through(box)

    def _table(self, table: Element) -> None:
        self.after_item = False
        if is_data_table(table):
            self.builder.block("\n".join(table_lines(table)))
        else:
            for cell in table.iterfind(f"{W}tr/{W}tc"):
                self.through(cell)


def _notes(document: Document, kind: str) -> dict[str, str]:
    """The text of each footnote or endnote by its id."""
    return {
        note.get(f"{W}id", ""): " ".join(map(paragraph_text, paragraphs_in(note)))
        for root in _parts(document, f"{kind}s")
        for note in root.iterfind(f"{W}{kind}")
    }


def _add_margin(document: Document, kind: str, builder: DocumentBuilder) -> None:
    """The headers or footers of all sections, each text once, page numbers left out."""
    seen: set[str] = set()
    for root in _parts(document, kind):
        lines = DocumentBuilder("", "")
        _Walk(lines, StyleSheet(document.styles.element), Numbering(None), {}).through(root)
        text = lines.build().text
        if text not in seen and not _ONLY_A_PAGE_NUMBER.fullmatch(text):
            builder.block(text)
        seen.add(text)


def _parts(document: Document, kind: str) -> Iterator[Element]:
    """The roots of the parts that the document relates to as footnotes, header and so on."""
    from docx.oxml import parse_xml

    for relation in document.part.rels.values():
        if not relation.is_external and relation.reltype.endswith(f"/{kind}"):
            yield parse_xml(relation.target_part.blob)
