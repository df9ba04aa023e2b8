from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragstone.errors import InvalidQuery
from ragstone.structured.rows import Cell
from ragstone.structured.template import Template

COLUMNS = ("name", "text", "fare in €", "a.b")


def render(template: str, cells: dict[str, Cell]) -> str:
    return Template.parse(template, COLUMNS).render(cells)


def test_places_stand_for_their_values() -> None:
    cells: dict[str, Cell] = {"name": "Kelp", "fare in €": "3", "a.b": ("x", "y")}
    assert render("{name} costs {fare in €}: {a.b}", cells) == "Kelp costs 3: x, y"


def test_lines_whose_places_are_all_empty_are_left_out() -> None:
    assert render("# Stops\n{name}: {text}\nfare: {fare in €}\nend", {"text": "here"}) == "# Stops\n: here\nend"


def test_doubled_braces_are_braces() -> None:
    assert render("{{{name}}} {{name}}", {"name": "Kelp"}) == "{Kelp} {name}"


@pytest.mark.parametrize("template", ["{name} {", "} {name}", "{name}}"])
def test_a_single_brace_is_refused_with_its_place(template: str) -> None:
    with pytest.raises(InvalidQuery, match="single brace at character") as caught:
        render(template, {})
    assert caught.value.code == "bad_template"


@pytest.mark.parametrize("template", ["", "no places", "{{name}}"])
def test_a_template_without_a_column_is_refused(template: str) -> None:
    with pytest.raises(InvalidQuery, match="names no column"):
        render(template, {})


@pytest.mark.parametrize("template", ["{colour}", "{name.__class__}", "{0}", "{name!r}", "{name:>9}"])
def test_a_place_is_a_column_and_nothing_else(template: str) -> None:
    with pytest.raises(InvalidQuery, match="it has 'name', 'text'"):
        render(template, {"name": "Kelp"})


@given(st.text(st.characters(exclude_categories=("Cs",)), min_size=1))
def test_values_are_never_read_as_templates(value: str) -> None:
    assert render("<{name}>", {"name": value}) == f"<{value}>"
