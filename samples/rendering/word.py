"""Sample sources as DOCX, with real heading styles and tables."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from io import BytesIO
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from docx import Document
from docx.document import Document as Docx

from samples.rendering.markup import Block, Heading, Paragraph, Table

WRITTEN = datetime(2026, 3, 20)  # naive: python-docx takes it as UTC


def render_docx(blocks: Iterable[Block], *, title: str, organisation: str) -> bytes:
    """Set the blocks in Word's own styles; the same blocks always give the same bytes."""
    document = Document()
    properties = document.core_properties
    properties.title, properties.author = title, organisation
    properties.created = properties.modified = WRITTEN
    for block in blocks:
        _write(document, block)
    buffer = BytesIO()
    document.save(buffer)
    return _without_times(buffer)


def _write(document: Docx, block: Block) -> None:
    match block:
        case Heading(text, level):
            document.add_heading(text, level)
        case Paragraph(text):
            document.add_paragraph(text)
        case Table(rows):
            table = document.add_table(rows=len(rows), cols=len(rows[0]), style="Light Grid Accent 1")
            for cells, values in zip(table.rows, rows, strict=True):
                for cell, value in zip(cells.cells, values, strict=True):
                    cell.text = value


def _without_times(archive: BytesIO) -> bytes:
    buffer = BytesIO()
    with ZipFile(archive) as source, ZipFile(buffer, "w") as target:
        for name in source.namelist():
            target.writestr(ZipInfo(name), source.read(name), ZIP_DEFLATED)
    return buffer.getvalue()
