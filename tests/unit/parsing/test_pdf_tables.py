from __future__ import annotations

from ragstone.parsing.pdf_tables import PageTable, with_tables
from ragstone.parsing.tables import Place
from tests.unit.parsing.made_lines import BOLD, FORMULA, PageLine, below, line


def tables(*lines: PageLine) -> list[list[list[str]]]:
    """The texts of the tables that lines below each other make."""
    found = with_tables(below(*lines))
    return [[[cell.text for cell in row] for row in item.grid] for item in found if isinstance(item, PageTable)]


def test_lines_in_the_same_columns_are_a_table() -> None:
    lines = [
        line("A sentence before the table, as wide as all of its columns are together.", columns=(60,)),
        line("Route", "Mon", "Tue"),
        line("North", "0610", "0615"),
        line("South", "", "0725"),
    ]
    assert tables(*lines) == [[["Route", "Mon", "Tue"], ["North", "0610", "0615"], ["South", "", "0725"]]]


def test_numbers_that_end_in_line_are_in_one_column() -> None:
    rows = [("Permit", "Fee"), ("Day", "9.50"), ("Month", "120.00"), ("Year", "1,310.00")]
    lines = [line(name, fee, columns=(60, 200 - 5 * len(fee))) for name, fee in rows]
    assert tables(*lines) == [[list(row) for row in rows]]


def test_a_cell_that_goes_on_below_its_row_is_one_cell() -> None:
    lines = [
        line("Route", "Vessel", style=BOLD),
        line("Mole to Quay", "Curlew, or in"),
        line("", "fog the Eider"),
        line("Oddholm", "Eider"),
    ]
    assert tables(*lines)[0][1] == ["Mole to Quay", "Curlew, or in fog the Eider"]


def test_a_name_over_several_columns_stands_over_each_of_them() -> None:
    name = "Crossings a day from May"
    lines = [line("Route", name), line("", "Mon", "Sun"), line("North", "9", "4"), line("South", "7", "3")]
    [table] = [item for item in with_tables(below(*lines)) if isinstance(item, PageTable)]
    assert table.grid[0] == [Place("Route"), Place(name), Place(name, repeated=True)]


def test_prose_in_columns_is_no_table() -> None:
    prose = "a whole line of running text that goes on and on and on"
    assert tables(*[line(prose, prose, columns=(60, 400))] * 4) == []


def test_text_that_is_spread_to_the_margin_is_no_table() -> None:
    assert tables(*[line("spread over the whole", "line are these words", columns=(60, 172))] * 4) == []


def test_formulas_in_line_are_no_table() -> None:
    assert tables(*[line("f(x)", "= 2x", "(1)", style=FORMULA)] * 4) == []


def test_labels_here_and_there_are_no_table() -> None:
    scale = line("20", "40", "60", "80", "100", columns=(300, 340, 380, 420, 460))
    labels = [line(str(90 - at), "all", columns=(300 + at, 455 + at)) for at in range(6)]
    assert tables(*labels, scale) == []


def test_two_tables_are_told_apart_by_the_space_between_them() -> None:
    rows = [line("a", "b"), line("c", "d"), line("e", "f")]
    items = [*below(*rows, top=700), *below(*rows, top=500)]
    assert len([item for item in with_tables(items) if isinstance(item, PageTable)]) == 2
