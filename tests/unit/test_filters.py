from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragstone.errors import InvalidQuery
from ragstone.filters import Order, as_order, as_text, parse_filters
from ragstone.metadata import FieldType, MetadataField
from ragstone.types import Filter, FilterOp


def parsed(field: Any, op: Any, *value: Any) -> Filter:
    (found,) = parse_filters([{"field": field, "op": op, **({"value": value[0]} if value else {})}])
    return found


@pytest.mark.parametrize(
    ("field", "op", "value", "expected"),
    [
        ("source", "eq", "a.pdf", "a.pdf"),
        ("metadata.year", "gte", 2024, 2024),
        ("metadata.year", "lt", "2024", "2024"),
        ("metadata.day", "lt", "2024-05-01", "2024-05-01"),
        ("metadata.open", "eq", True, True),
        ("language", "in", ["de", "en"], ("de", "en")),
        ("metadata.year", "not_in", [2023, 2024.0, True], ("2023", "2024", "true")),
        ("metadata.a.b", "contains", 7, 7),
        ("title", "exists", False, False),
    ],
)
def test_good_filters_are_read(field: str, op: str, value: Any, expected: Any) -> None:
    assert parsed(field, op, value) == Filter(field, FilterOp(op), expected)


def test_exists_needs_no_value() -> None:
    assert parsed("title", "exists") == Filter("title", FilterOp.EXISTS, True)


@pytest.mark.parametrize("field", ["author", "metadata", "metadata.", "", None, 3, "Source"])
def test_an_unknown_field_is_refused_with_the_known_ones(field: Any) -> None:
    with pytest.raises(
        InvalidQuery, match=r"known are source, title, language, kind, back_matter and metadata\.<name>"
    ) as raised:
        parsed(field, "eq", "x")
    assert raised.value.code == "unknown_field"


@pytest.mark.parametrize("op", ["equals", "", None, ["eq"]])
def test_an_unknown_op_is_refused_with_the_known_ones(op: Any) -> None:
    with pytest.raises(
        InvalidQuery, match="known are eq, ne, gt, gte, lt, lte, in, not_in, contains, exists"
    ) as raised:
        parsed("source", op, "x")
    assert raised.value.code == "unknown_op"


@pytest.mark.parametrize(
    ("op", "value"),
    [
        ("eq", None),
        ("eq", ["a"]),
        ("eq", float("nan")),
        ("ne", {"a": 1}),
        ("in", "a"),
        ("in", [["a"]]),
        ("not_in", None),
        ("gt", "soon"),
        ("gt", True),
        ("gte", "2024-13-01"),
        ("lt", float("inf")),
        ("contains", ""),
        ("contains", "x" * 101),
        ("exists", "yes"),
    ],
)
def test_a_value_that_does_not_fit_its_op_is_refused(op: str, value: Any) -> None:
    with pytest.raises(InvalidQuery, match=f"metadata.x {op} needs") as raised:
        parsed("metadata.x", op, value)
    assert raised.value.code == "bad_value"


@pytest.mark.parametrize(
    ("value", "text"),
    [(2, "2"), (2.0, "2"), (-0.0, "0"), (2.5, "2.5"), (True, "true"), (False, "false"), ("True", "True")],
)
def test_values_are_compared_by_their_text(value: Any, text: str) -> None:
    assert as_text(value) == text


@pytest.mark.parametrize(
    ("value", "order"),
    [
        ("1970-01-02", Order("date", 86_400)),
        ("1970-01-01T01:00:00+01:00", Order("date", 0)),
        ("1970-01-01T00:00:01", Order("date", 1)),
        ("-1e3", Order("number", -1000)),
        (7, Order("number", 7)),
        ("20240501", Order("number", 20_240_501)),
        ("1970-01-99", None),
        ("late", None),
        ("nan", None),
        (10**400, None),
        (True, None),
        (("1",), None),
    ],
)
def test_numbers_and_dates_have_a_place(value: Any, order: Order | None) -> None:
    assert as_order(value) == order


SCHEMA = {
    "year": MetadataField(FieldType.NUMBER),
    "due": MetadataField(FieldType.DATE),
    "draft": MetadataField(FieldType.BOOLEAN),
    "office": MetadataField(FieldType.STRING),
    "tags": MetadataField(FieldType.LIST),
    "salary": MetadataField(FieldType.NUMBER, filterable=False),
}


@pytest.mark.parametrize("name", ["salary", "colour"])
def test_only_declared_filterable_fields_are_filtered_by(name: str) -> None:
    with pytest.raises(InvalidQuery) as raised:
        parse_filters([{"field": f"metadata.{name}", "op": "exists"}], SCHEMA)
    assert (raised.value.code, str(raised.value)) == (
        "unknown_field",
        f"unknown field 'metadata.{name}'; known are source, title, language, kind, back_matter and "
        "metadata.year, metadata.due, metadata.draft, metadata.office, metadata.tags",
    )
    assert len(parse_filters([{"field": "title", "op": "eq", "value": "Fares"}], SCHEMA)) == 1


@pytest.mark.parametrize(
    ("name", "op", "value", "kept"),
    [
        ("year", "eq", "2024.0", 2024),
        ("year", "in", ["2024.0", 2025], ("2024", "2025")),
        ("year", "gte", "2024", 2024),
        ("due", "lt", "2024-05-01", "2024-05-01"),
        ("draft", "eq", "TRUE", True),
        ("draft", "not_in", [True, "False"], ("true", "false")),
        ("office", "ne", "Kelp", "Kelp"),
        ("tags", "eq", "ferry", "ferry"),
        ("tags", "in", ["ferry, tram"], ("ferry, tram",)),
        ("year", "contains", "20", "20"),
        ("due", "exists", False, False),
    ],
)
def test_values_of_declared_fields_are_written_as_documents_have_them(
    name: str, op: str, value: Any, kept: Any
) -> None:
    (found,) = parse_filters([{"field": f"metadata.{name}", "op": op, "value": value}], SCHEMA)
    assert (found.value, type(found.value)) == (kept, type(kept))


@pytest.mark.parametrize(
    ("name", "op", "value", "words"),
    [
        ("year", "eq", "soon", "the declared type, number, not 'soon'"),
        ("year", "in", [2024, "soon"], "the declared type, number"),
        ("year", "gt", "2024-05-01", "the declared type, number"),
        ("due", "lte", 5, "the declared type, date"),
        ("draft", "eq", "yes", "the declared type, boolean"),
        ("office", "eq", 5, "the declared type, string"),
        ("tags", "in", [5], "the declared type, string"),
        ("tags", "gt", 5, "a field of numbers or dates, and this is a list"),
        ("office", "lt", "2024-05-01", "a field of numbers or dates, and this is a string"),
    ],
)
def test_a_value_of_another_type_than_declared_is_refused(name: str, op: str, value: Any, words: str) -> None:
    with pytest.raises(InvalidQuery, match=f"metadata.{name} {op} needs .*{words}") as raised:
        parse_filters([{"field": f"metadata.{name}", "op": op, "value": value}], SCHEMA)
    assert raised.value.code == "bad_value"


@given(st.dictionaries(st.sampled_from(["field", "op", "value", "x"]), st.one_of(st.none(), st.text(), st.floats())))
def test_whatever_is_given_is_read_or_refused(raw: dict[str, Any]) -> None:
    try:
        assert len(parse_filters([raw])) == 1
    except InvalidQuery as error:
        assert error.code in ("unknown_field", "unknown_op", "bad_value")
