"""Tables on a PDF's page: rows whose cells begin at the same places as those of the row above."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import median

from ragstone.parsing.pdf_lines import PageLine, Piece
from ragstone.parsing.tables import has_header

_ALIGNED = 2.5
_FEWEST_ROWS = 3
_LONGEST_CELL = 45


@dataclass(frozen=True, slots=True)
class PageTable:
    """A table's rows, each with a text for every column; `headed`: the first names them; `lines`: how many it took."""

    rows: list[list[str]]
    headed: bool
    lines: int


def tables_on_page(lines: Sequence[PageLine], *, first_page: bool) -> dict[int, PageTable]:
    """The page's tables by the index of their first line.

    A table on top of a page may go on from the page before: there only a font of its own makes the first row a header.
    """
    found: dict[int, PageTable] = {}
    start = 0
    while start < len(lines):
        columns = [piece.x for piece in lines[start].pieces if piece.text.strip()]
        length = _lines_in_columns(lines, start, columns) if _are_columns(columns) else 1
        table = _table(lines[start : start + length], columns, may_go_on=start == 0 and not first_page)
        if table:
            found[start] = table
        start += max(length, 1)
    return found


def _are_columns(columns: Sequence[float]) -> bool:
    return len(columns) > 1 and list(columns) == sorted(columns)


def _table(lines: Sequence[PageLine], columns: Sequence[float], *, may_go_on: bool) -> PageTable | None:
    """The table that lines in the same columns are, unless they are too few or say too much for one."""
    if len(lines) < _FEWEST_ROWS:
        return None
    rows = list(_rows([piece for line in lines for piece in line.pieces], columns))
    if len(rows) < _FEWEST_ROWS or median(len(cell) for row in rows for cell in row if cell) > _LONGEST_CELL:
        return None
    named = has_header(rows) and not any(map(str.isdigit, "".join(rows[0])))
    return PageTable(rows, _has_own_font(lines[0], lines[1]) or (named and not may_go_on), len(lines))


def _lines_in_columns(lines: Sequence[PageLine], start: int, columns: Sequence[float]) -> int:
    """How many lines belong to the table: it ends after the last line with cells side by side, or of a wrapped cell."""
    length = 0
    for position in range(start, len(lines)):
        line = lines[position]
        places = [_column(piece, columns) for piece in line.pieces if piece.text.strip()]
        if None in places:
            break
        if len(set(places)) > 1 or (not line.gap and places[0]):
            length = position - start + 1
    return length


def _rows(pieces: Sequence[Piece], columns: Sequence[float]) -> Iterator[list[str]]:
    """A cell to the left of the one before begins a new row; one in the same column goes on with it."""
    row, at = [""] * len(columns), 0
    for piece in pieces:
        column = _column(piece, columns) if piece.text.strip() else None
        if column is None:
            continue
        if column < at and any(row):
            yield row
            row = [""] * len(columns)
        row[column] = f"{row[column]} {piece.text.strip()}".strip()
        at = column
    if any(row):
        yield row


def _column(piece: Piece, columns: Sequence[float]) -> int | None:
    return next((at for at, left in enumerate(columns) if abs(piece.x - left) <= _ALIGNED), None)


def _has_own_font(line: PageLine, below: PageLine) -> bool:
    return {piece.font for piece in line.pieces}.isdisjoint(piece.font for piece in below.pieces)
