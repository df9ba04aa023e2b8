"""OpenDocument tables: spans and repetitions opened out, header rows found, each row a line."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, repeat

from ragstone.parsing.cleaning import one_line
from ragstone.parsing.elements import Element
from ragstone.parsing.odt_text import TABLE, count_of, paragraphs_in, text_of
from ragstone.parsing.tables import Place, grid_lines, has_header

_ROW = f"{TABLE}table-row"
_COVERED = f"{TABLE}covered-table-cell"
_CELLS = frozenset({f"{TABLE}table-cell", _COVERED})
_GROUPS = frozenset({f"{TABLE}{name}" for name in ("table-header-rows", "table-rows", "table-row-group")})
_MOST_COLUMNS = 100
_LONGEST_CELL = 1_000


def is_data_table(table: Element) -> bool:
    """Whether a table holds data; one column, tables in cells or whole texts in cells are a matter of layout."""
    rows = [[cell for cell in row if cell.tag in _CELLS] for row in _rows(table)]
    if max(map(len, rows), default=0) < 2:
        return False
    return not any(_is_layout(cell) for cell in chain.from_iterable(rows))


def cells_in_order(table: Element) -> Iterator[Element]:
    return (cell for row in _rows(table) for cell in row if cell.tag in _CELLS)


def table_lines(table: Element) -> Iterator[str]:
    """A data table's rows, one line each; a cell that spans rows is repeated in each of them."""
    grid: list[list[Place]] = []
    for row in _rows(table):
        grid.append(list(_places(row, grid[-1] if grid else [])))
    heads = sum(len(list(header.iter(_ROW))) for header in table.iterfind(f"{TABLE}table-header-rows"))
    return grid_lines(grid, heads or int(has_header([[place.text for place in row] for row in grid])))


def _places(row: Element, above: list[Place]) -> Iterator[Place]:
    """A row's cells; a covered one shows what covers it from the left, or else from above."""
    at, wide, left = 0, 0, ""
    for cell in row:
        if cell.tag not in _CELLS:
            continue
        covered = cell.tag == _COVERED
        for _ in repeat(None, count_of(cell, f"{TABLE}number-columns-repeated", most=_MOST_COLUMNS - at)):
            if covered and wide > 0:
                yield Place(left, repeated=True)
            elif covered and at < len(above):
                yield above[at]
            else:
                left, wide = _text(cell), count_of(cell, f"{TABLE}number-columns-spanned", most=_MOST_COLUMNS)
                yield Place(left)
            at, wide = at + 1, wide - 1


def _is_layout(cell: Element) -> bool:
    return next(cell.iter(f"{TABLE}table"), None) is not None or len(_text(cell)) > _LONGEST_CELL


def _rows(table: Element) -> Iterator[Element]:
    for child in table:
        if child.tag == _ROW:
            yield child
        elif child.tag in _GROUPS:
            yield from _rows(child)


def _text(cell: Element) -> str:
    return one_line(" ".join(map(text_of, paragraphs_in(cell))))
