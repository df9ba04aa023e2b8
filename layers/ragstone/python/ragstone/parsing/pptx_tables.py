"""Tables on slides, merged cells opened out, each row a line."""

from __future__ import annotations

from collections.abc import Iterator

from ragstone.parsing.cleaning import one_line
from ragstone.parsing.elements import Element
from ragstone.parsing.pptx_text import A, text_of
from ragstone.parsing.tables import Place, grid_lines, has_header

_YES = ("1", "true")


def table_lines(table: Element) -> Iterator[str]:
    """A table's rows, one line each; a merged cell is repeated in each row that it covers."""
    grid: list[list[Place]] = []
    for row in table.iterfind(f"{A}tr"):
        places: list[Place] = []
        for column, cell in enumerate(row.iterfind(f"{A}tc")):
            text = one_line(text_of(cell))
            if cell.get("vMerge", "0") in _YES and grid and column < len(grid[-1]):
                text = grid[-1][column].text
            covered = cell.get("hMerge", "0") in _YES and bool(places)
            places.append(Place(places[-1].text if covered else text, repeated=covered))
        grid.append(places)
    properties = table.find(f"{A}tblPr")
    headed = properties is not None and properties.get("firstRow", "0") in _YES and len(grid) > 1
    return grid_lines(grid, int(headed or has_header([[place.text for place in row] for row in grid])))
