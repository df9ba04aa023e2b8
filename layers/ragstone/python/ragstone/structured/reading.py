"""A file of rows: its format and encoding by its content, its rows one by one."""

from __future__ import annotations

import codecs
import io
import re
from dataclasses import dataclass
from functools import lru_cache
from typing import BinaryIO

from ragstone.errors import InvalidQuery
from ragstone.structured import delimited, json_lines
from ragstone.structured.rows import BadRow, Cell, Format, Row, Rows, text_of

SAMPLE_BYTES = 65_536
UTF_16 = "utf-16"
MARKS = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, UTF_16), (codecs.BOM_UTF16_BE, UTF_16))
NO_TEXT = re.compile("[\ud800-\udfff]")
BRACES = str.maketrans("{}", "()")


@dataclass(frozen=True, slots=True)
class Table:
    """A file's rows, to be read once, in order."""

    format: Format
    encoding: str
    rows: Rows


def read_table(content: BinaryIO) -> Table:
    """CSV, a JSON array or JSON Lines; the stream must be able to go back to its start.

    Raises InvalidQuery (`no_table`) if it holds no table.
    """
    beginning = content.read(SAMPLE_BYTES)
    content.seek(0)
    encoding = encoding_of(beginning)
    sample = beginning.decode(encoding, errors="ignore")
    if not sample.strip():
        raise InvalidQuery("no_table", "The file is empty.")
    format_ = _format_of(sample)
    return Table(format_, encoding.removesuffix("-sig"), _rows(content, format_, encoding, sample))


def encoding_of(beginning: bytes) -> str:
    """By its mark, else UTF-8 if it can be, else Windows-1252."""
    for mark, encoding in MARKS:
        if beginning.startswith(mark):
            return encoding
    try:
        codecs.getincrementaldecoder("utf-8")().decode(beginning)
    except UnicodeDecodeError:
        return "cp1252"
    return "utf-8"


def _format_of(sample: str) -> Format:
    first = sample.lstrip()[0]
    return {"[": Format.JSON, "{": Format.JSONL}.get(first, Format.CSV)


def _rows(content: BinaryIO, format_: Format, encoding: str, sample: str) -> Rows:
    # UTF-16's codec can't escape; what it can't decode is marked by U+FFFD.
    errors = "replace" if encoding == UTF_16 else "surrogateescape"
    text = io.TextIOWrapper(content, encoding, errors=errors, newline="")
    try:
        match format_:
            case Format.JSON:
                rows = json_lines.array_rows(text)
            case Format.JSONL:
                rows = json_lines.line_rows(text)
            case Format.CSV:
                rows = delimited.rows(text, sample)
        for row in rows:
            yield _checked(row, encoding)
    finally:
        if not content.closed:
            text.detach()  # whoever opened the stream closes it


def _checked(row: Row | BadRow, encoding: str) -> Row | BadRow:
    """Without empty cells; a row with bytes that mean nothing in the file's encoding is bad."""
    if isinstance(row, BadRow):
        return row
    cells = {_name(name): stripped for name, cell in row.cells.items() if (stripped := _stripped(cell))}
    if NO_TEXT.search("".join((*cells, *map(text_of, cells.values())))):
        return BadRow(row.number, f"it has characters that are no text in {encoding}; save the file as UTF-8")
    return Row(row.number, cells) if cells else BadRow(row.number, "it is empty")


@lru_cache(10_000)
def _name(written: str) -> str:
    """A column's name in one line, without the braces that a template puts around it."""
    return " ".join(written.translate(BRACES).split()) or "value"


def _stripped(cell: Cell) -> Cell:
    if isinstance(cell, str):
        return cell.replace("\0", "").strip()
    return tuple(text for part in cell if (text := part.replace("\0", "").strip()))
