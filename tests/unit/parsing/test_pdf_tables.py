from __future__ import annotations

from collections.abc import Sequence

from ragstone.parsing.pdf_lines import PageLine, Piece
from ragstone.parsing.pdf_table_text import TableTexts
from ragstone.parsing.pdf_tables import PageTable, with_tables
from ragstone.parsing.pdf_words import Style

COLUMNS = (60.0, 160.0, 260.0)
LETTER = 5.0


def page(*rows: Sequence[str], bold: int = 0, columns: Sequence[float] = COLUMNS) -> list[PageLine]:
    """Lines below each other with a cell in each column; the first `bold` ones are bold."""
    return [line(*row, y=700 - 14 * at, bold=at < bold, columns=columns) for at, row in enumerate(rows)]


def line(*cells: str, y: float, bold: bool = False, columns: Sequence[float] = COLUMNS) -> PageLine:
    style = Style("Sans", 10, marked=bold)
    pieces = (Piece(cell, x, x + LETTER * len(cell), y, style) for cell, x in zip(cells, columns, strict=False) if cell)
    return PageLine(tuple(pieces))


def tables(lines: Sequence[PageLine]) -> list[PageTable]:
    return [found for found in with_tables(lines) if isinstance(found, PageTable)]


def rows(table: PageTable) -> list[list[str]]:
    return [[place.text for place in row] for row in table.grid]


def test_rows_in_the_same_columns_are_a_table() -> None:
    found = tables(page(("Route", "Mon", "Tue"), ("North", "0610", "0615"), ("South", "0720", "0725")))
    assert [rows(table) for table in found] == [
        [["Route", "Mon", "Tue"], ["North", "0610", "0615"], ["South", "0720", "0725"]]
    ]


def test_two_lines_are_too_few_for_a_table() -> None:
    assert tables(page(("Route", "Mon"), ("North", "0610"))) == []


def test_prose_in_columns_is_no_table() -> None:
    prose = "a whole line of running text that goes on and on and on"
    assert tables(page(*[(prose, prose)] * 4, columns=(60, 340))) == []


def test_each_row_names_its_columns() -> None:
    (table,) = tables(page(("Name", "Kind"), ("Curlew", "ferry"), ("Eider", "workboat"), bold=1))
    assert table.own_letters
    assert list(TableTexts().lines(table, on_top=False)) == [
        "Name: Curlew | Kind: ferry",
        "Name: Eider | Kind: workboat",
    ]


def test_a_table_that_goes_on_on_the_next_page_keeps_its_header() -> None:
    texts = TableTexts()
    (first,) = tables(page(("Name", "Kind"), ("Curlew", "ferry"), ("Eider", "workboat"), bold=1))
    (second,) = tables(page(("Dunlin", "catamaran"), ("Teal", "tug"), ("Knot", "dredger")))
    list(texts.lines(first, on_top=False))
    assert next(iter(texts.lines(second, on_top=True))) == "Name: Dunlin | Kind: catamaran"
