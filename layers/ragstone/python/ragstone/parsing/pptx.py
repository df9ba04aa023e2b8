"""PPTX: each slide a page and a section; its shapes in their order, tables, charts and diagrams by their data."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from ragstone.parsing import media
from ragstone.parsing.builder import LINE, PARAGRAPH, DocumentBuilder
from ragstone.parsing.elements import Element
from ragstone.parsing.office_graphics import graphics_in
from ragstone.parsing.office_package import OfficePackage, PackagePart, open_package
from ragstone.parsing.pptx_tables import table_lines
from ragstone.parsing.pptx_text import A, Line, lines_of, text_of
from ragstone.parsing.registry import parsers
from ragstone.parsing.zipped import damaged
from ragstone.types import BlockKind, ParsedDocument

P = "{http://schemas.openxmlformats.org/presentationml/2006/main}"
_RELATION_ID = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"
_FALLBACK = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"
_TITLES = ("title", "ctrTitle")
_MARGINS = ("sldNum", "dt", "ftr", "hdr")
_BULLETED = ("body", "obj")
_MADE_UP_TITLE = re.compile(r"PowerPoint[ -]\S+|Presentation")


@parsers.register(media.PPTX)
def parse_pptx(content: bytes, *, source: str) -> ParsedDocument:
    """Read a PowerPoint file; a slide without a title is a section under its number."""
    package = open_package(content, source)
    builder = DocumentBuilder(media.PPTX, "lxml")
    try:
        for number, slide in enumerate(_slides(package), start=1):
            builder.page(number)
            _add_slide(builder, slide, number)
    except SyntaxError as error:
        raise damaged(source) from error
    stated = "" if _MADE_UP_TITLE.fullmatch(package.title) else package.title
    title = stated or builder.first_heading
    return builder.build(title=title, language=package.language, metadata=package.metadata)


def _slides(package: OfficePackage) -> Iterator[PackagePart]:
    for entry in package.main.root.iterfind(f"{P}sldIdLst/{P}sldId"):
        if slide := package.main.by_id(entry.get(_RELATION_ID, "")):
            yield slide


def _add_slide(builder: DocumentBuilder, slide: PackagePart, number: int) -> None:
    shapes = [shape for tree in slide.root.iterfind(f"{P}cSld/{P}spTree") for shape in _shapes(tree)]
    title = " ".join(text_of(shape.element) for shape in shapes if shape.place in _TITLES)
    blocks = [block for shape in shapes if shape.place not in _TITLES for block in _blocks(shape, slide)]
    notes = [block for root in slide.roots("notesSlide") for block in _notes(root)]
    body = [(joint, kind, text) for joint, kind, text in (*blocks, *notes) if text.strip()]
    if title or body:
        builder.heading(title or f"Slide {number}", 1)
    for joint, kind, text in body:
        builder.block(text, joint=joint, kind=kind)


@dataclass(frozen=True, slots=True)
class _Shape:
    """A shape that is seen; `place` is the kind of placeholder that it fills, None if it fills none."""

    element: Element
    place: str | None


def _shapes(tree: Element) -> Iterator[_Shape]:
    """All shapes in order, those in groups among them; what is hidden or repeats in the margins is left out."""
    for child in tree:
        properties = next(child.iter(f"{P}cNvPr"), None)
        if child.tag == _FALLBACK or (properties is not None and properties.get("hidden", "0") in ("1", "true")):
            continue
        if child.tag in (f"{P}sp", f"{P}graphicFrame"):
            place = next(child.iter(f"{P}ph"), None)
            shape = _Shape(child, None if place is None else place.get("type", "obj"))
            if shape.place not in _MARGINS:
                yield shape
        elif len(child):
            yield from _shapes(child)


def _blocks(shape: _Shape, slide: PackagePart) -> Iterator[tuple[str, BlockKind, str]]:
    for table in shape.element.iter(f"{A}tbl"):
        yield PARAGRAPH, BlockKind.TABLE, "\n".join(table_lines(table))
    for kind, text in graphics_in(shape.element, slide):
        yield PARAGRAPH, kind, text
    before: Line | None = None
    for body in shape.element.iterfind(f"{P}txBody"):
        for line in lines_of(body, bulleted=shape.place in _BULLETED):
            goes_on = before is not None and before.in_list and line.in_list
            yield LINE if goes_on else PARAGRAPH, BlockKind.LIST if line.in_list else BlockKind.PARAGRAPH, line.text
            before = line


def _notes(root: Element) -> Iterator[tuple[str, BlockKind, str]]:
    bodies = [shape.element for tree in root.iterfind(f"{P}cSld/{P}spTree") for shape in _shapes(tree)]
    texts = [text_of(body) for body in bodies if any(place.get("type") == "body" for place in body.iter(f"{P}ph"))]
    if notes := "\n".join(filter(None, texts)):
        yield PARAGRAPH, BlockKind.PARAGRAPH, f"Notes: {notes}"
