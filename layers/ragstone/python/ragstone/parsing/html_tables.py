"""HTML tables: spans opened out, headers found, so that each row can be a line of its own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ragstone.parsing.cleaning import one_line
from ragstone.parsing.tables import Place, grid_lines, has_header, row_line

if TYPE_CHECKING:
    from bs4 import Tag

_BLOCK_NAMES = (
    "address article aside blockquote body caption center dd details dialog dir div dl dt fieldset figcaption "
    "figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr legend li main menu nav ol optgroup option p pre "
    "section summary table tbody td tfoot th thead tr ul"
)
BLOCKS = frozenset(_BLOCK_NAMES.split())
_OF_LAYOUT = ["table", "h1", "h2", "h3", "h4", "h5", "h6", "article", "section", "form"]
_OF_TEXT = ["pre", "blockquote"]
_MOST_COLUMNS = 100
_MOST_ROWS_SPANNED = 500
_LONGEST_CELL = 1_000


def is_data_table(table: Tag) -> bool:
    """Whether a table holds data; one that only places parts of the page side by side is read like other blocks."""
    if table.get("role") in ("presentation", "none") or table.find(_OF_LAYOUT):
        return False
    if table.find(_OF_TEXT) and not table.find("th"):
        return False
    rows = _rows(table)
    longest = max((sum(map(len, cell.strings)) for row in rows for cell in row), default=0)
    return max(map(len, rows), default=0) > 1 and longest <= _LONGEST_CELL


def table_lines(table: Tag) -> list[str]:
    """A data table's rows, one line each; a cell that spans rows is repeated in each of them."""
    rows = _rows(table)
    grid = _opened_out(rows)
    if all([cell.name for cell in row] == ["th", "td"] for row in rows) and all(len(row) == 2 for row in grid):
        lines = (row_line([value.text], [name.text.rstrip(":")]) for name, value in grid)
    else:
        lines = grid_lines(grid, _header_rows(rows, grid))
    return [line for line in lines if line]


def caption_of(table: Tag) -> str:
    caption = table.find("caption")
    return inline_text(caption) if caption else ""


def inline_text(tag: Tag) -> str:
    """All text in a tag as one line."""
    from bs4 import Tag
    from bs4.element import NavigableString

    pieces: list[str] = []
    for node in tag.descendants:
        if isinstance(node, Tag):
            pieces.append(" " if node.name in BLOCKS or node.name == "br" else "")
        elif type(node) is NavigableString:
            pieces.append(node)
    return one_line("".join(pieces))


def _rows(table: Tag) -> list[list[Tag]]:
    """The cells of each row."""
    from bs4 import Tag

    rows = (row.children for row in table.find_all("tr"))
    return [[cell for cell in row if isinstance(cell, Tag) and cell.name in ("td", "th")] for row in rows]


def _opened_out(rows: Sequence[Sequence[Tag]]) -> list[list[Place]]:
    """The table as a grid, each spanning cell in all the places that it covers."""
    grid: list[list[Place]] = []
    hanging: dict[int, tuple[int, Place]] = {}
    for row in rows:
        places: list[Place] = []
        for cell in row:
            _take_hanging(places, hanging)
            text, down = inline_text(cell), _span(cell, "rowspan", _MOST_ROWS_SPANNED)
            for across in range(_span(cell, "colspan", max(_MOST_COLUMNS - len(places), 1))):
                place = Place(text, repeated=across > 0)
                if down > 1:
                    hanging[len(places)] = (down - 1, place)
                places.append(place)
        _take_hanging(places, hanging)
        grid.append(places)
    return grid


def _take_hanging(places: list[Place], hanging: dict[int, tuple[int, Place]]) -> None:
    """Fill the places at the end of a row so far that cells from rows above reach down to."""
    while len(places) in hanging:
        left, place = hanging.pop(len(places))
        if left > 1:
            hanging[len(places)] = (left - 1, place)
        places.append(place)


def _span(cell: Tag, name: str, most: int) -> int:
    stated = str(cell.get(name, "1")).strip()
    return min(max(int(stated), 1), most) if stated.isascii() and stated.isdigit() and len(stated) < 9 else 1


def _header_rows(rows: Sequence[Sequence[Tag]], grid: Sequence[Sequence[Place]]) -> int:
    """How many rows name the columns: those in the head, or of header cells only, or else a first row that looks so."""
    count = 0
    while count < len(rows) and all(_is_header_cell(cell) for cell in rows[count]):
        count += 1
    if count or any(cell.name == "th" for row in rows for cell in row):
        return count
    return int(has_header([[place.text for place in row] for row in grid]))


def _is_header_cell(cell: Tag) -> bool:
    part = cell.find_parent(["thead", "tbody", "tfoot", "table"])
    return cell.name == "th" or (part is not None and part.name == "thead")
