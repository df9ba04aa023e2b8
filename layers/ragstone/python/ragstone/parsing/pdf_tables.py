"""Tables on a PDF's page: their cells, and those that only stand in line, without a ruling."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from ragstone.parsing.pdf_lines import PageLine, Piece
from ragstone.parsing.tables import Place

_FEWEST_ROWS = 3
_LONGEST_CELL = 45
_FARTHEST = 3.5
"""Heights of a line that two rows of a table may lie apart."""
_ALIGNED = 3.0
_MOSTLY = 0.6
_LEAST_FILLED = 0.3
_FILLED = 0.5
_PROSE = 0.93, 30
"""The part of a line that its pieces cover and the number of their letters, from which on it is wrapped text."""
_FORMULA = 0.3
_WIDEST_LONE_CELL = 0.6
_SAME_ROW = 0.8

Span = tuple[float, float]


@dataclass(frozen=True, slots=True)
class PageTable:
    """A table's cells from the top, merged ones opened out; `columns`: where each column begins, in points.

    `own_letters`: the first row is set in letters of its own, as headers are; `ruled`: lines part the cells.
    """

    grid: Sequence[Sequence[Place]]
    columns: tuple[float, ...]
    own_letters: bool
    y: float
    column: int = 0
    ruled: bool = False


def with_tables(lines: Sequence[PageLine | PageTable]) -> Iterator[PageLine | PageTable]:
    """The same, with lines whose pieces stand in columns as tables."""
    at = 0
    while at < len(lines):
        block = _block(lines, at)
        table = _table(block) if len(block) >= _FEWEST_ROWS else None
        if table is None:
            yield from lines[at : at + max(1, len(block))]
        else:
            yield table
        at += max(1, len(block))


def _block(lines: Sequence[PageLine | PageTable], start: int) -> list[PageLine]:
    """The lines from `start` on that may be rows: each has pieces side by side, or one in a narrow place between."""
    block: list[PageLine] = []
    end = 0
    for line in lines[start:]:
        if isinstance(line, PageTable) or (block and not _near(block[-1], line)):
            break
        if len(line.pieces) > 1 and not _is_prose(line):
            block.append(line)
            end = len(block)
        elif block and line.right - line.left < _WIDEST_LONE_CELL * _width(block):
            block.append(line)
            end += bool(not line.gap and end == len(block) - 1 and line.left > block[-2].left + _ALIGNED)
        else:
            break
    return block[:end]


def _near(above: PageLine, line: PageLine) -> bool:
    return above.column == line.column and 0 < above.y - line.y < _FARTHEST * max(above.size, line.size)


def _is_prose(line: PageLine) -> bool:
    """Whether only wide spaces between words part the pieces, as in lines that are spread to the margin."""
    covered, letters = sum(piece.right - piece.left for piece in line.pieces), sum(len(p.text) for p in line.pieces)
    return covered >= _PROSE[0] * (line.right - line.left) and letters >= _PROSE[1]


def _width(block: Sequence[PageLine]) -> float:
    return max(line.right for line in block) - min(line.left for line in block)


def _table(block: Sequence[PageLine]) -> PageTable | None:
    columns = _columns(block)
    if len(columns) < 2:
        return None
    rows = [_row(line, columns) for line in block]
    if not _is_table(block, rows, columns):
        return None
    grid = list(_wrapped_joined(block, rows))
    if len(grid) < _FEWEST_ROWS:
        return None
    own = {piece.style for piece in block[0].pieces}.isdisjoint(piece.style for piece in block[1].pieces)
    return PageTable(grid, tuple(left for left, _ in columns), own, block[0].y, block[0].column)


def _columns(block: Sequence[PageLine]) -> list[Span]:
    """What the line with the most pieces sets apart, as wide as the pieces of other lines that fit in."""
    fullest = max(block, key=lambda line: len(line.pieces))
    columns = sorted((piece.left, piece.right) for piece in fullest.pieces)
    for line in block:
        places = [_overlapped(piece, columns) for piece in line.pieces]
        if all(len(place) == 1 for place in places) and len({place[0] for place in places}) == len(places):
            for (at,), piece in zip(places, line.pieces, strict=True):
                columns[at] = min(columns[at][0], piece.left), max(columns[at][1], piece.right)
    return columns if all(left[1] < right[0] for left, right in pairwise(columns)) else []


def _overlapped(piece: Piece, columns: Sequence[Span]) -> list[int]:
    found = [at for at, (left, right) in enumerate(columns) if piece.left < right and piece.right > left]
    return found or [min(range(len(columns)), key=lambda at: abs(sum(columns[at]) - piece.left - piece.right))]


def _row(line: PageLine, columns: Sequence[Span]) -> list[Place]:
    row = [Place("")] * len(columns)
    for piece in line.pieces:
        first, *others = _overlapped(piece, columns)
        row[first] = Place(f"{row[first].text} {piece.text}".strip())
        for at in others:
            row[at] = Place(piece.text, repeated=True)
    return row


def _is_table(block: Sequence[PageLine], rows: Sequence[Sequence[Place]], columns: Sequence[Span]) -> bool:
    """Whether cells are short, most rows have several, and most columns' cells begin, end or lie in one line."""
    cells = [place.text for row in rows for place in row if place.text and not place.repeated]
    several = sum(sum(bool(place.text) for place in row) > 1 for row in rows)
    formulas = sum(any(piece.math > _FORMULA for piece in line.pieces) for line in block)
    if median(map(len, cells)) > _LONGEST_CELL or several < _MOSTLY * len(rows) or formulas * 2 > len(block):
        return False
    if sum(bool(place.text) for row in rows for place in row) < _FILLED * len(rows) * len(columns):
        return False
    pieces = [(_overlapped(piece, columns), piece) for line in block for piece in line.pieces]
    lists = [[piece for places, piece in pieces if places == [at]] for at in range(len(columns))]
    kept = sum(len(column) >= _LEAST_FILLED * several and _in_line(column) for column in lists)
    return several >= _FEWEST_ROWS and kept >= max(2, _MOSTLY * len(columns))


def _in_line(pieces: Sequence[Piece]) -> bool:
    for places in (
        [piece.left for piece in pieces],
        [piece.right for piece in pieces],
        [(piece.left + piece.right) / 2 for piece in pieces],
    ):
        usual = median(places)
        if sum(abs(place - usual) <= _ALIGNED for place in places) >= _MOSTLY * len(places):
            return True
    return False


def _wrapped_joined(block: Sequence[PageLine], rows: Sequence[list[Place]]) -> Iterator[list[Place]]:
    """Rows of which some took several lines: a line without a first cell, or closer than rows are, goes on."""
    steps = [above.y - line.y for above, line in pairwise(block)]
    usual = median(steps)
    held = list(rows[0])
    for step, row in zip(steps, rows[1:], strict=True):
        if _goes_on(held, row, close=step < _SAME_ROW * usual):
            held = [Place(f"{one.text} {more.text}".strip(), one.repeated) for one, more in zip(held, row, strict=True)]
        else:
            yield held
            held = list(row)
    yield held


def _goes_on(above: Sequence[Place], row: Sequence[Place], *, close: bool) -> bool:
    """Whether a line is the rest of cells above it: it is closer than rows are, or has few cells and not the first."""
    filled = [at for at, place in enumerate(row) if place.text]
    if close:
        return all(above[at].text for at in filled)
    return filled[0] > 0 and len(filled) * 2 <= sum(bool(place.text) for place in above)
