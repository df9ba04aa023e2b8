"""XLSX by openpyxl: each sheet a section, its tables row by row under their header, formulas by their last values."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from io import BytesIO
from itertools import groupby, takewhile
from typing import TYPE_CHECKING
from zipfile import ZipFile

from ragstone.parsing import media
from ragstone.parsing.builder import DocumentBuilder
from ragstone.parsing.registry import parsers
from ragstone.parsing.stated import stated
from ragstone.parsing.tables import has_header, row_line, row_lines
from ragstone.parsing.xlsx_cells import shown
from ragstone.parsing.zipped import ZIP_FAULTS, checked_archive, damaged
from ragstone.types import BlockKind, Metadata, MetadataValue, ParsedDocument

if TYPE_CHECKING:
    from openpyxl import Workbook

_MEGABYTE = 1_000_000
_MOST_XML = 300 * _MEGABYTE
"""Sheets are read row by row, so their XML costs time and no memory."""
_FAULTS = (*ZIP_FAULTS, AttributeError, SyntaxError, TypeError)
_CORE_PROPERTIES = "docProps/core.xml"
_NO_COLUMNS = (0, 0)

Row = list[str]


@parsers.register(media.XLSX)
def parse_xlsx(content: bytes, *, source: str) -> ParsedDocument:
    """Read an Excel workbook; sheets that are hidden are left out and named in a warning."""
    archive = checked_archive(content, source, most_xml=_MOST_XML)
    builder = DocumentBuilder(media.XLSX, "openpyxl")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # openpyxl tells of what it would not write back
            return _read(archive, builder)
    except _FAULTS as error:
        raise damaged(source) from error


def _read(content: bytes, builder: DocumentBuilder) -> ParsedDocument:
    from openpyxl import load_workbook

    with closing(load_workbook(BytesIO(content), read_only=True, data_only=True, keep_links=False)) as book:
        hidden = [sheet.title for sheet in book.worksheets if sheet.sheet_state != "visible"]
        for sheet in book.worksheets:
            if sheet.title not in hidden:
                sheet.reset_dimensions()  # what a file states is often wrong
                _add_sheet(builder, sheet.title, ([shown(cell) for cell in row] for row in sheet.iter_rows()))
        if hidden:
            builder.warnings.append(f"Hidden sheets were left out: {', '.join(hidden)}.")
        title, metadata = _stated(book, content)
        return builder.build(title=title, metadata=metadata)


def _stated(book: Workbook, content: bytes) -> tuple[str | None, Metadata]:
    """Title and metadata from the core properties, which openpyxl makes up where there are none."""
    with ZipFile(BytesIO(content)) as archive:
        if _CORE_PROPERTIES not in archive.namelist():
            return None, dict[str, MetadataValue]()
    core = book.properties
    return core.title, stated(author=core.creator, created=core.created, modified=core.modified)


def _add_sheet(builder: DocumentBuilder, title: str, rows: Iterable[Row]) -> None:
    blocks = [list(group) for filled, group in groupby(rows, key=any) if filled]
    tables = list(_tables(blocks))
    if tables:
        builder.heading(title, 1)
    for table in tables:
        titles = _titles(table)
        builder.block("\n".join(map(row_line, titles)))
        builder.block("\n".join(_lines(table[len(titles) :])), kind=BlockKind.TABLE)


def _titles(table: Sequence[Row]) -> list[Row]:
    """The rows above a table that have one cell only; a single cell is no table at all."""
    filled = [sum(map(bool, row)) for row in table]
    if filled == [1]:
        return list(table)
    width = max(filled)
    return list(table[: sum(1 for _ in takewhile(lambda count: count == 1 < width, filled))])


def _lines(rows: Sequence[Row]) -> Iterator[str]:
    return row_lines(rows[1:], rows[0]) if has_header(rows) else row_lines(rows)


def _tables(blocks: Iterable[list[Row]]) -> Iterator[list[Row]]:
    """The rows between empty ones, without the columns that are empty in all; what only goes on is one table."""
    before: list[Row] = []
    for block in blocks:
        if before and _columns(block) == _columns(before) and not _begins(block):
            before.extend(block)
        else:
            yield from [_cut(before)] if before else []
            before = block
    yield from [_cut(before)] if before else []


def _columns(rows: Sequence[Row]) -> tuple[int, int]:
    """The first and the last column that any row has something in."""
    filled = [at for row in rows for at, text in enumerate(row) if text]
    return (min(filled), max(filled)) if filled else _NO_COLUMNS


def _begins(rows: Sequence[Row]) -> bool:
    """Whether the first row looks like a header: without a number, above rows that have some."""
    numbers = [any(character.isdigit() for character in "".join(row)) for row in rows]
    return not numbers[0] and any(numbers[1:])


def _cut(rows: Sequence[Row]) -> list[Row]:
    first, last = _columns(rows)
    return [row[first : last + 1] for row in rows]
