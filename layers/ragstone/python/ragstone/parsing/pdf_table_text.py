"""Tables of a PDF as text: each row names its columns, on the pages where the table goes on as well."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ragstone.parsing.cleaning import one_line
from ragstone.parsing.pdf_tables import PageTable
from ragstone.parsing.tables import Place, grid_lines, has_header

_SAME_PLACE = 4.0

Row = Sequence[Place]


@dataclass(slots=True)
class TableTexts:
    """Turns a document's tables to lines, in order; a table on top of a page may go on from the page before."""

    _columns: tuple[float, ...] = ()
    _header: Sequence[Row] = ()

    def lines(self, table: PageTable, *, on_top: bool) -> Iterator[str]:
        """A table's rows; `on_top`: nothing is above it on its page, and the page before ended with a table."""
        grid = list(table.grid)
        while len(grid) > 1 and _is_caption(grid[0]):
            yield one_line(grid.pop(0)[0].text)
        goes_on = on_top and _same_places(self._columns, table.columns) and bool(self._header)
        if goes_on and not _starts_anew(grid, table, self._header):
            repeated = len(self._header) if _texts(grid[: len(self._header)]) == _texts(self._header) else 0
            header, grid = self._header, grid[repeated:]
        else:
            heads = _heads(grid, table, may_go_on=on_top)
            header, grid = grid[:heads], grid[heads:]
        self._columns, self._header = table.columns, header
        yield from filter(None, grid_lines([*header, *grid], len(header)))


def _heads(grid: Sequence[Row], table: PageTable, *, may_go_on: bool) -> int:
    """How many rows name the columns: none, one, or two if the first names groups of columns."""
    if not table.own_letters and (may_go_on or not _names_columns(grid, ruled=table.ruled)):
        return 0
    groups = any(place.repeated for place in grid[0]) or _filled(grid[0]) < _filled(grid[1])
    return 2 if groups and len(grid) > 2 and _names_columns(grid[1:], ruled=table.ruled) else 1


def _filled(row: Row) -> int:
    return sum(bool(place.text) for place in row)


def _names_columns(grid: Sequence[Row], *, ruled: bool) -> bool:
    texts = _texts(grid)
    return has_header(texts) and (ruled or not any(map(str.isdigit, "".join(texts[0]))))


def _starts_anew(grid: Sequence[Row], table: PageTable, header: Sequence[Row]) -> bool:
    """Whether a table with the same columns as the one before has another header of its own."""
    return table.own_letters and _texts(grid[: len(header)]) != _texts(header)


def _is_caption(row: Row) -> bool:
    return len(row) > 1 and all(place.repeated for place in row[1:])


def _same_places(columns: Sequence[float], others: Sequence[float]) -> bool:
    return len(columns) == len(others) and all(
        abs(one - other) <= _SAME_PLACE for one, other in zip(columns, others, strict=True)
    )


def _texts(grid: Sequence[Row]) -> list[list[str]]:
    return [[one_line(place.text) for place in row] for row in grid]
