"""Word tables: merged cells opened out, the header row found, each row a line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ragstone.parsing.cleaning import one_line
from ragstone.parsing.docx_numbering import number_of
from ragstone.parsing.docx_text import W, is_on, paragraph_text, paragraphs_in
from ragstone.parsing.elements import Element
from ragstone.parsing.tables import Place, grid_lines, has_header

_MOST_SPANNED = 100
_LONGEST_CELL = 1_000
_WRAPPERS = frozenset({f"{W}{name}" for name in ("sdt", "sdtContent", "ins", "moveTo", "customXml")})


def is_data_table(table: Element) -> bool:
    """Whether a table holds data; one column, tables in cells or whole texts in cells are a matter of layout."""
    rows = [list(_cells(row)) for row in _rows(table)]
    if max(map(len, rows), default=0) < 2:
        return False
    cells = [cell for row in rows for cell in row]
    return not any(cell.find(f".//{W}tbl") is not None or len(cell_text(cell)) > _LONGEST_CELL for cell in cells)


def table_lines(table: Element) -> Iterator[str]:
    """A data table's rows, one line each; a cell merged over rows is repeated in each of them."""
    rows = list(_rows(table))
    grid = _opened_out(rows)
    heads = 0
    while heads < len(rows) and is_on(rows[heads].find(f"{W}trPr"), "tblHeader"):
        heads += 1
    if not heads and _may_have_header(table):
        heads = int(has_header([[place.text for place in row] for row in grid]))
    return grid_lines(grid, heads)


def cells_in_order(table: Element) -> Iterator[Element]:
    """All cells, row by row."""
    for row in _rows(table):
        yield from _cells(row)


def _opened_out(rows: Sequence[Element]) -> list[list[Place]]:
    grid: list[list[Place]] = []
    for row in rows:
        above = grid[-1] if grid else []
        row_properties = row.find(f"{W}trPr")
        before = number_of(row_properties, "gridBefore", 0, most=_MOST_SPANNED) if row_properties is not None else 0
        places = [Place("")] * before
        for cell in _cells(row):
            properties = cell.find(f"{W}tcPr")
            text = cell_text(cell)
            if not text and _goes_on(properties) and len(places) < len(above):
                text = above[len(places)].text
            width = number_of(properties, "gridSpan", 1, most=_MOST_SPANNED) if properties is not None else 1
            places += [Place(text, repeated=at > 0) for at in range(max(width, 1))]
        grid.append(places)
    return grid


def _goes_on(properties: Element | None) -> bool:
    """Whether a cell is the lower part of one that begins in a row above."""
    merge = properties.find(f"{W}vMerge") if properties is not None else None
    return merge is not None and merge.get(f"{W}val", "continue") == "continue"


def _may_have_header(table: Element) -> bool:
    """Whether nobody has switched the look of a header row off."""
    look = table.find(f"{W}tblPr/{W}tblLook")
    return look is None or look.get(f"{W}firstRow", "1") not in ("0", "false")


def _rows(table: Element) -> Iterator[Element]:
    """The rows of a table but not of those inside it; content controls and insertions may wrap them."""
    return _nearest(table, f"{W}tr")


def _cells(row: Element) -> Iterator[Element]:
    return _nearest(row, f"{W}tc")


def _nearest(element: Element, tag: str) -> Iterator[Element]:
    for child in element:
        if child.tag == tag:
            yield child
        elif child.tag in _WRAPPERS:
            yield from _nearest(child, tag)


def cell_text(cell: Element) -> str:
    """All paragraphs of a cell, and of what is inside it, on one line."""
    return one_line(" ".join(map(paragraph_text, paragraphs_in(cell))))
