from __future__ import annotations

from math import isfinite

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragstone.metadata import FieldType
from ragstone.structured.columns import columns_of, typed
from ragstone.structured.rows import Cell, Row
from ragstone.types import MetadataValue

STRING, NUMBER, BOOLEAN = FieldType.STRING, FieldType.NUMBER, FieldType.BOOLEAN
DATE, LIST = FieldType.DATE, FieldType.LIST


def column_type(*cells: Cell) -> FieldType:
    (column,) = columns_of([Row(number, {"x": cell}) for number, cell in enumerate(cells, start=1)])
    return column.type


@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        (("1", "2.5", "-3", "1e6", "0"), NUMBER),
        (("1", "two"), STRING),
        (("007", "1"), STRING),
        (("1,5",), STRING),
        (("1234567890123456",), STRING),
        (("1e999",), STRING),
        (("true", "False", "no", "YES"), BOOLEAN),
        (("true", "1"), STRING),
        (("2026-05-01", "2026-05-01T10:30:00Z"), DATE),
        (("2026-02-30",), STRING),
        (("01.05.2026",), STRING),
        (("a; b", "c|d", "e"), LIST),
        (("a; b", "c", "d"), STRING),
        (("The ferry is late; the tram is not, as everybody in the harbour knows.",), STRING),
        ((("a", "b"), "c"), LIST),
        (("text",), STRING),
    ],
)
def test_a_column_has_the_narrowest_type_that_fits_all_its_values(cells: tuple[Cell, ...], expected: FieldType) -> None:
    assert column_type(*cells) is expected


@pytest.mark.parametrize(
    ("cell", "type_", "expected"),
    [
        ("12", NUMBER, 12),
        ("12.50", NUMBER, 12.5),
        ("n/a", NUMBER, None),
        (("1", "2"), NUMBER, None),
        ("Yes", BOOLEAN, True),
        ("false", BOOLEAN, False),
        ("perhaps", BOOLEAN, None),
        ("2026-05-01", DATE, "2026-05-01"),
        ("soon", DATE, None),
        ("a; b |c;", LIST, ("a", "b", "c")),
        (("a;b", "c"), LIST, ("a;b", "c")),
        (("a", "b"), STRING, "a, b"),
        ("007", STRING, "007"),
    ],
)
def test_values_are_written_in_their_column_s_type(
    cell: Cell, type_: FieldType, expected: MetadataValue | None
) -> None:
    found = typed(cell, type_)
    assert (found, type(found)) == (expected, type(expected))


def test_columns_are_described_in_the_order_in_which_they_turn_up() -> None:
    rows = [Row(1, {"name": "Kelp", "zone": "A"}), Row(2, {"name": "Heron", "zone": "A", "fare": "3"})]
    name, zone, fare = columns_of(rows)
    assert (name.name, name.filled, name.distinct, name.mean_length, name.examples) == (
        "name",
        2,
        2,
        4.5,
        ("Kelp", "Heron"),
    )
    assert (zone.filled, zone.distinct) == (2, 1)
    assert (fare.type, fare.filled) == (NUMBER, 1)


@given(st.lists(st.text(min_size=1), min_size=1, max_size=5))
def test_every_value_fits_its_column_s_type(cells: list[str]) -> None:
    type_ = column_type(*cells)
    for cell in cells:
        value = typed(cell, type_)
        assert value is not None
        assert not isinstance(value, float) or isfinite(value)
