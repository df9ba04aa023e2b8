"""Tables as text: each row a line of "Header: value | Header: value", so that every row can stand alone."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import NamedTuple

from ragstone.parsing.cleaning import one_line

Row = Sequence[str]


class Place(NamedTuple):
    """What stands at one row and column; `repeated` where a wide cell covers more than its first column."""

    text: str
    repeated: bool = False


Grid = Sequence[Sequence[Place]]
"""A table with its merged cells opened out."""

_NUMBER = re.compile(r"[-+−]?[$€£]?\s?\d[\d.,  ]*\s?[%€$£]?")
_YEAR = re.compile(r"(?:1[89]|20|21)\d\d")
_LOOKED_AT = 200


def row_line(row: Row, header: Row | None = None) -> str:
    """One row as text; empty cells are left out, cells beyond the header or under an empty one stand bare."""
    named = zip_longest((one_line(cell) for cell in row), header or (), fillvalue="")
    return " | ".join(f"{name}: {value}" if name else value for value, name in named if value)


def row_lines(rows: Sequence[Row], header: Row | None = None) -> Iterator[str]:
    """All rows as lines, blank ones left out; a table that is only a header shows the header."""
    names = [one_line(name).rstrip(":") for name in header] if header else None
    if names and not rows:
        yield row_line(names)
    yield from filter(None, (row_line(row, names) for row in rows))


def grid_lines(grid: Grid, heads: int) -> Iterator[str]:
    """The rows below the first `heads` as lines; a cell as wide as the table is a caption and stands bare."""
    header = _joined_header(grid[:heads])
    if not grid[heads:]:
        yield row_line(header)
    for row in grid[heads:]:
        cells = ["" if place.repeated else place.text for place in row]
        is_caption = len(row) > 1 and all(place.repeated for place in row[1:])
        if line := row_line(cells, None if is_caption else header):
            yield line


def has_header(rows: Sequence[Row]) -> bool:
    """Whether the first row names the columns: it is data if it holds a number in a column of numbers.

    Years are numbers that also name columns. A table of one row has no header.
    """
    if len(rows) < 2 or not any(cell.strip() for cell in rows[0]):
        return False
    return not any(
        _is_number(name) and not _YEAR.fullmatch(name.strip()) and _mostly_numbers(rows, column)
        for column, name in enumerate(rows[0])
    )


def _joined_header(heads: Grid) -> list[str]:
    """One name a column: the texts above each other, each once."""
    columns = zip_longest(*([one_line(place.text) for place in row] for row in heads), fillvalue="")
    return [" ".join(dict.fromkeys(filter(None, texts))).rstrip(":") for texts in columns]


def _mostly_numbers(rows: Sequence[Row], column: int) -> bool:
    cells = [row[column] for row in rows[1:_LOOKED_AT] if column < len(row) and row[column].strip()]
    return sum(map(_is_number, cells)) * 2 > len(cells)


def _is_number(cell: str) -> bool:
    return _NUMBER.fullmatch(cell.strip()) is not None
