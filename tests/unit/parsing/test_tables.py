from __future__ import annotations

import pytest

from ragstone.parsing.tables import Place, grid_lines, has_header, row_line, row_lines


def test_a_row_names_its_columns_and_leaves_empty_cells_out() -> None:
    assert row_line(["North", "", "08:20"], ["Route", "Mon", "Tue"]) == "Route: North | Tue: 08:20"


def test_cells_beyond_the_header_or_under_an_empty_name_stand_bare() -> None:
    assert row_line(["1", "x", "surplus"], ["id", ""]) == "id: 1 | x | surplus"


def test_a_table_without_header_shows_its_values() -> None:
    assert list(row_lines([["a", "b"], ["", ""], ["c", "d"]])) == ["a | b", "c | d"]


def test_line_breaks_in_cells_don_t_break_the_row() -> None:
    assert list(row_lines([["one\ntwo"]], ["note\n(long):"])) == ["note (long): one two"]


def test_a_table_that_is_only_a_header_shows_it() -> None:
    assert list(row_lines([], ["vessel", "built"])) == ["vessel | built"]


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ([["Route", "Price"], ["North", "4.20"], ["South", "3.10"]], True),
        ([["1", "Ada", "4.20"], ["2", "Per", "3.10"]], False),
        ([["Region", "2024", "2025"], ["North", "12", "14"]], True),
        ([["only one row", "of text"]], False),
        ([["", ""], ["a", "b"]], False),
        ([], False),
    ],
)
def test_a_first_row_of_numbers_over_numbers_is_no_header(rows: list[list[str]], expected: bool) -> None:
    assert has_header(rows) is expected


def test_wide_header_cells_name_all_columns_under_them() -> None:
    grid = [
        [Place("Route"), Place("Fare"), Place("Fare", repeated=True)],
        [Place("Route"), Place("Adult"), Place("Child")],
        [Place("Summer"), Place("Summer", repeated=True), Place("Summer", repeated=True)],
        [Place("North"), Place("4.20"), Place("2.10")],
    ]
    assert list(grid_lines(grid, 2)) == ["Summer", "Route: North | Fare Adult: 4.20 | Fare Child: 2.10"]
