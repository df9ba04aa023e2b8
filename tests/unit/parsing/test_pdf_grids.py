from __future__ import annotations

from collections.abc import Sequence

from ragstone.parsing.pdf_drawings import Rule
from ragstone.parsing.pdf_grids import frames_of, grid_of
from ragstone.parsing.pdf_words import Word
from tests.unit.parsing.made_lines import BODY

XS, YS = (100.0, 200.0, 300.0, 400.0), (600.0, 620.0, 640.0, 660.0)


def ruled(xs: Sequence[float] = XS, ys: Sequence[float] = YS) -> list[Rule]:
    upright = [Rule(False, x, ys[0], ys[-1]) for x in xs]
    return [*upright, *(Rule(True, y, xs[0], xs[-1]) for y in ys)]


def words(*rows: str) -> list[Word]:
    """One word a cell, `-` for none, from the top row."""
    return [
        Word(text, 105 + 100 * column, 150 + 100 * column, 645 - 20 * row, BODY)
        for row, texts in enumerate(rows)
        for column, text in enumerate(texts.split())
        if text != "-"
    ]


def cells(rules: list[Rule], found: list[Word]) -> list[list[str]] | None:
    [frame] = frames_of(rules)
    grid = grid_of(frame, found)
    if grid is None:
        return None
    return [[f"({place.text})" if place.repeated else place.text for place in row] for row in grid]


def test_crossing_lines_make_cells() -> None:
    assert cells(ruled(), words("Route Mon Tue", "North 0610 0615", "South - 0725")) == [
        ["Route", "Mon", "Tue"],
        ["North", "0610", "0615"],
        ["South", "", "0725"],
    ]


def test_cells_without_a_line_between_them_are_one() -> None:
    rules = [rule for rule in ruled() if rule.level or rule.at != 300] + [Rule(False, 300, 600, 640)]
    assert cells(rules, words("Route Departures -", "North 0610 0615", "South 0700 0725")) == [
        ["Route", "Departures", "(Departures)"],
        ["North", "0610", "0615"],
        ["South", "0700", "0725"],
    ]


def test_a_cell_over_several_rows_stands_in_each_of_them() -> None:
    rules = [rule for rule in ruled() if not rule.level or rule.at != 620] + [Rule(True, 620, 200, 400)]
    assert cells(rules, words("Route Mon Tue", "North 0610 0615", "- 0700 0725")) == [
        ["Route", "Mon", "Tue"],
        ["North", "0610", "0615"],
        ["North", "0700", "0725"],
    ]


def test_a_table_open_at_its_sides_ends_with_its_lines() -> None:
    rules = [rule for rule in ruled() if rule.level or rule.at not in (100, 400)]
    assert cells(rules, words("Route Mon Tue", "North 0610 0615", "South 0700 0725")) == [
        ["Route", "Mon", "Tue"],
        ["North", "0610", "0615"],
        ["South", "0700", "0725"],
    ]


def test_each_group_of_touching_lines_is_a_table_of_its_own() -> None:
    assert len(frames_of([*ruled(), *ruled(ys=(100.0, 120.0, 140.0))])) == 2


def test_frames_and_plans_are_no_tables() -> None:
    assert frames_of(ruled(xs=(100.0, 400.0))) == []
    assert cells(ruled(), words("- - -", "- Stage -", "- - -")) is None
    long = [Word("x" * 700, 105, 190, 645, BODY), Word("y" * 700, 205, 290, 605, BODY)]
    assert cells(ruled(), long) is None
