"""A row of a table, whatever file it came from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum

LONGEST_ROW = 1_000_000
"""In characters; what looks longer is a quotation mark or a bracket that never closes."""

Cell = str | tuple[str, ...]
"""A value as text, or several; there are no empty ones."""


class Format(StrEnum):
    CSV = "csv"
    JSON = "json"
    JSONL = "jsonl"


@dataclass(frozen=True, slots=True)
class Row:
    """One row: `number` counts from 1, without a header; columns without a value are left out."""

    number: int
    cells: Mapping[str, Cell]


@dataclass(frozen=True, slots=True)
class BadRow:
    """A row that can't become a document, and why; `line` is where it begins in the file, from 1, if it has lines."""

    number: int
    reason: str
    line: int | None = None


Rows = Iterator[Row | BadRow]


def text_of(cell: Cell) -> str:
    return cell if isinstance(cell, str) else ", ".join(cell)
