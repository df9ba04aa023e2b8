"""DOCX by python-docx: the body in its order, with headings by style, lists, tables, notes and text boxes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from ragstone.parsing import media
from ragstone.parsing.builder import LINE, PARAGRAPH, DocumentBuilder
from ragstone.parsing.docx_numbering import Numbering
from ragstone.parsing.docx_package import WordPackage, open_word
from ragstone.parsing.docx_styles import StyleSheet
from ragstone.parsing.docx_tables import cells_in_order, is_data_table, table_lines
from ragstone.parsing.docx_text import W, is_formula, note_ids, paragraph_text, paragraphs_in, text_boxes
from ragstone.parsing.elements import Element
from ragstone.parsing.office_graphics import graphics_in
from ragstone.parsing.office_package import PackagePart
from ragstone.parsing.registry import parsers
from ragstone.parsing.zipped import damaged
from ragstone.types import BlockKind, ParsedDocument

_CONTAINERS = frozenset(
    {f"{W}{name}" for name in ("body", "sdt", "sdtContent", "ins", "moveTo", "customXml", "smartTag")}
)
_ONLY_A_PAGE_NUMBER = re.compile(r"[\W\d_]*(?:page|seite|p\.)?[\W\d_]*(?:of|von|/)?[\W\d_]*", re.I)


@parsers.register(media.DOCX)
def parse_docx(content: bytes, *, source: str) -> ParsedDocument:
    """Read a Word document; insertions count and deletions don't, headers and footers are read once."""
    package = open_word(content, source)
    builder = DocumentBuilder(media.DOCX, "python-docx")
    styles = StyleSheet(package.styles)
    _add_margins(package.headers, styles, builder)
    office = package.office
    walk = _Walk(builder, styles, Numbering(package.numbering), _notes(package), office.main)
    try:
        walk.through(package.document)
    except SyntaxError as error:  # in the data of a chart, which is only read when the text comes to it
        raise damaged(source) from error
    _add_margins(package.footers, styles, builder)
    title = office.title or builder.first_heading
    return builder.build(title=title, language=office.language, metadata=office.metadata)


@dataclass(slots=True)
class _Walk:
    """Goes through body, table cells and text boxes in reading order; notes are known by kind and id."""

    builder: DocumentBuilder
    styles: StyleSheet
    numbering: Numbering
    notes: Mapping[tuple[str, str], str]
    main: PackagePart | None = None
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
        text, (level, place, kind) = paragraph_text(paragraph), self.styles.role_of(paragraph)
        shown = f"{self.numbering.label(place)} {text}".lstrip() if text and place else text
        if level:
            self.builder.heading(text if shown.startswith("- ") else shown, level)
        elif place:
            self.builder.block(shown, joint=LINE if self.after_item else PARAGRAPH, kind=BlockKind.LIST)
        else:
            self.builder.block(shown, kind=BlockKind.FORMULA if is_formula(paragraph) else kind)
        self.after_item = place is not None and level is None
        for drawn, data in graphics_in(paragraph, self.main) if self.main else ():
            self.builder.block(data, kind=drawn)
        for note in note_ids(paragraph):
            self.builder.block(self.notes.get(note, ""))
        for box in text_boxes(paragraph):
            self.through(box)

    def _table(self, table: Element) -> None:
        self.after_item = False
        if is_data_table(table):
            self.builder.block("\n".join(table_lines(table)), kind=BlockKind.TABLE)
        else:
            for cell in cells_in_order(table):
                self.through(cell)


def _notes(package: WordPackage) -> dict[tuple[str, str], str]:
    """The text of each note by its kind and id."""
    return {
        (kind, note.get(f"{W}id", "")): " ".join(map(paragraph_text, paragraphs_in(note)))
        for kind, roots in (("footnote", package.footnotes), ("endnote", package.endnotes))
        for root in roots
        for note in root.iterfind(f"{W}{kind}")
    }


def _add_margins(roots: Iterable[Element], styles: StyleSheet, builder: DocumentBuilder) -> None:
    """The headers or footers of all sections, each text once, page numbers left out."""
    seen: set[str] = set()
    for root in roots:
        margin = DocumentBuilder(media.DOCX, "python-docx")
        _Walk(margin, styles, Numbering(None), {}).through(root)
        document = margin.build()
        if document.text not in seen and not _ONLY_A_PAGE_NUMBER.fullmatch(document.text):
            for block in document.blocks:
                kind = BlockKind.PARAGRAPH if block.kind is BlockKind.HEADING else block.kind
                builder.block(document.text[block.start : block.end], kind=kind)
        seen.add(document.text)
