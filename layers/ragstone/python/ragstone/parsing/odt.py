"""ODT: the body in its order, with headings, lists, tables, notes and text boxes; deleted text is not read."""

from __future__ import annotations

from dataclasses import dataclass
from io import BytesIO
from zipfile import ZipFile

from ragstone.errors import Rejected
from ragstone.parsing import media
from ragstone.parsing.builder import LINE, PARAGRAPH, DocumentBuilder
from ragstone.parsing.elements import Element, root_of
from ragstone.parsing.odt_tables import cells_in_order, is_data_table, table_lines
from ragstone.parsing.odt_text import OFFICE, TABLE, TEXT, count_of, notes_in, text_boxes, text_of
from ragstone.parsing.registry import parsers
from ragstone.parsing.stated import stated
from ragstone.parsing.zipped import ZIP_FAULTS, checked_archive, damaged
from ragstone.types import BlockKind, Metadata, MetadataValue, ParsedDocument

_DUBLIN_CORE = "{http://purl.org/dc/elements/1.1/}"
_META = "{urn:oasis:names:tc:opendocument:xmlns:meta:1.0}"
_STYLE = "{urn:oasis:names:tc:opendocument:xmlns:style:1.0}"
_ENCRYPTED = b"encryption-data"
_MANIFEST = "META-INF/manifest.xml"
_FAULTS = (*ZIP_FAULTS, SyntaxError)
_KINDS = {
    **dict.fromkeys(("Caption", "Illustration", "Figure", "Table", "Drawing"), BlockKind.CAPTION),
    "Preformatted_20_Text": BlockKind.CODE,
}
"""Of paragraphs by their styles, or the styles that these come from."""
_CONTAINERS = frozenset(
    {f"{TEXT}section", f"{TEXT}index-body", f"{OFFICE}body", f"{OFFICE}text"}
    | {f"{TEXT}{name}" for name in ("table-of-content", "alphabetical-index", "bibliography", "illustration-index")}
)
_HIGHEST_LEVEL = 10


@parsers.register(media.ODT)
def parse_odt(content: bytes, *, source: str) -> ParsedDocument:
    """Read an OpenDocument text."""
    checked_archive(content, source)
    builder = DocumentBuilder(media.ODT, "lxml")
    try:
        with ZipFile(BytesIO(content)) as archive:
            if _MANIFEST in archive.namelist() and _ENCRYPTED in archive.read(_MANIFEST):
                raise Rejected("encrypted", f"{source} needs a password; save it without one and upload it again.")
            body = root_of(archive.read("content.xml"))
            meta = root_of(archive.read("meta.xml")) if "meta.xml" in archive.namelist() else None
    except _FAULTS as error:
        raise damaged(source) from error
    _Walk(builder, _parents(body)).through(body)
    title, language, metadata = _stated(meta)
    return builder.build(title=title or builder.first_heading, language=language, metadata=metadata)


def _stated(meta: Element | None) -> tuple[str | None, str | None, Metadata]:
    if meta is None:
        return None, None, dict[str, MetadataValue]()

    def first(*tags: str) -> str | None:
        return next((found.text for tag in tags for found in meta.iter(tag) if found.text), None)

    return (
        first(f"{_DUBLIN_CORE}title"),
        first(f"{_DUBLIN_CORE}language"),
        stated(
            author=first(f"{_META}initial-creator", f"{_DUBLIN_CORE}creator"),
            created=first(f"{_META}creation-date"),
            modified=first(f"{_DUBLIN_CORE}date"),
        ),
    )


def _parents(root: Element) -> dict[str, str]:
    """The style that each automatic one comes from, by name."""
    styles = root.iter(f"{_STYLE}style")
    return {style.get(f"{_STYLE}name", ""): style.get(f"{_STYLE}parent-style-name", "") for style in styles}


@dataclass(slots=True)
class _Walk:
    """Goes through the body; lines of a list or of code stand together as long as nothing comes between them."""

    builder: DocumentBuilder
    parents: dict[str, str]
    before: BlockKind = BlockKind.PARAGRAPH

    def through(self, container: Element) -> None:
        for child in container:
            if child.tag == f"{TEXT}h":
                self._heading(child)
            elif child.tag == f"{TEXT}p":
                self._paragraph(child)
            elif child.tag == f"{TEXT}list":
                self._list(child)
            elif child.tag == f"{TABLE}table":
                self._table(child)
            elif child.tag in _CONTAINERS:
                self.through(child)

    def _heading(self, heading: Element) -> None:
        level = count_of(heading, f"{TEXT}outline-level", most=_HIGHEST_LEVEL)
        self.builder.heading(text_of(heading), level)
        self.before = BlockKind.HEADING

    def _paragraph(self, paragraph: Element) -> None:
        style = paragraph.get(f"{TEXT}style-name", "")
        self._write(text_of(paragraph), _KINDS.get(self.parents.get(style) or style, BlockKind.PARAGRAPH))
        self._beside(paragraph)

    def _list(self, element: Element) -> None:
        """Items have a dash, whatever their style draws before them."""
        for item in element:
            for child in item:
                if child.tag == f"{TEXT}p":
                    self._write(f"- {text}" if (text := text_of(child)) else "", BlockKind.LIST)
                    self._beside(child)
                elif child.tag == f"{TEXT}list":
                    self._list(child)
                elif child.tag == f"{TEXT}h":
                    self._heading(child)

    def _table(self, table: Element) -> None:
        if is_data_table(table):
            self._write("\n".join(table_lines(table)), BlockKind.TABLE)
        else:
            for cell in cells_in_order(table):
                self.through(cell)

    def _beside(self, paragraph: Element) -> None:
        for note in notes_in(paragraph):
            self._write(note, BlockKind.PARAGRAPH)
        for box in text_boxes(paragraph):
            self.through(box)

    def _write(self, text: str, kind: BlockKind) -> None:
        if text:
            goes_on = kind is self.before and kind in (BlockKind.LIST, BlockKind.CODE)
            self.builder.block(text, joint=LINE if goes_on else PARAGRAPH, kind=kind)
            self.before = kind
