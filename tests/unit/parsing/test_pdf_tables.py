from __future__ import annotations

from collections.abc import Sequence

from ragstone.parsing.pdf_lines import PageLine, Piece
from ragstone.parsing.pdf_tables import PageTable, tables_on_page

COLUMNS = (60.0, 160.0, 260.0)


def line(*cells: str, y: float = 500, font: str = "", columns: Sequence[float] = COLUMNS) -> PageLine:
    return PageLine(tuple(Piece(cell, x, y, 10, font) for cell, x in zip(cells, columns, strict=False) if cell))


def tables(*lines: PageLine, first_page: bool = False) -> dict[int, PageTable]:
    return tables_on_page(lines, first_page=first_page)


def test_rows_in_the_same_columns_are_a_table() -> None:
    found = tables(
        line("Text before the table."),
        line("Route", "Mon", "Tue"),
        line("North", "0610", "0615"),
        line("South", "", "0725"),
    )
    assert found == {1: PageTable([["Route", "Mon", "Tue"], ["North", "0610", "0615"], ["South", "", "0725"]], True, 3)}


def test_a_cell_on_two_lines_is_one_cell() -> None:
    found = tables(
        line("Route", "Vessel", font="bold"),
        line("Ilverhaven Mole to"),
        line("Tamsey Quay"),
        line("", "Curlew"),
        line("Oddholm", "Eider"),
    )
    assert found[0].rows == [["Route", "Vessel"], ["Ilverhaven Mole to Tamsey Quay", "Curlew"], ["Oddholm", "Eider"]]


def test_prose_in_columns_is_no_table() -> None:
    prose = "a whole line of running text that goes on and on and on"
    assert tables(*[line(prose, prose, columns=(60, 330))] * 4) == {}


def test_lines_in_other_places_end_a_table() -> None:
    found = tables(
        line("a", "b"),
        line("c", "d"),
        line("e", "f"),
        line("A paragraph.", columns=(40,)),
        line("x", "y", columns=(90, 190)),
    )
    assert found[0].lines == 3


def test_on_top_of_a_page_only_a_font_of_its_own_makes_a_header() -> None:
    rows = [line("Curlew", "ferry"), line("Dunlin", "catamaran"), line("Eider", "workboat")]
    assert not tables(*rows)[0].headed
    assert tables(*rows, first_page=True)[0].headed
    assert tables(line("Name", "Kind", font="bold"), *rows)[0].headed
