from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragstone.api.schemas import QueryBody
from ragstone.errors import InvalidQuery
from ragstone.metadata import FieldType, MetadataField
from ragstone.types import Filter, FilterOp


def body_of(question: str, **more: Any) -> QueryBody:
    """As the API reads it: JSON can write what UTF-8 can't."""
    return QueryBody.model_validate(json.loads(json.dumps({"question": question, **more})))


@given(st.text(st.characters(exclude_categories=()), min_size=1, max_size=50).filter(str.strip))
def test_any_question_becomes_text_that_utf8_can_hold(question: str) -> None:
    understood = body_of(question).question
    assert "\0" not in understood
    assert len(understood) <= len(question)
    assert understood.encode("utf-8").decode() == understood


@given(st.text(st.characters(exclude_categories=("Cs", "Cc")), min_size=1, max_size=50))
def test_a_question_of_good_text_stays_as_it_is(question: str) -> None:
    stripped = question.strip()
    assert not stripped or body_of(question).question == stripped


@pytest.mark.parametrize("value", ["2024", 2024, 2024.5, True, "", ["a", "b"]])
def test_a_filter_s_value_keeps_its_type(value: Any) -> None:
    found = body_of("x", filters=[{"field": "kind", "op": "eq", "value": value}]).filters[0].value
    assert (found, type(found)) == (value, type(value))


def test_a_filter_is_text_that_utf8_can_hold() -> None:
    condition = {"field": "metadata.\ud83d", "op": "in", "value": ["\0", "🚢"]}
    found = body_of("x", filters=[condition]).filters[0]
    assert (found.field, found.value) == ("metadata.�", ["�", "🚢"])


def test_filters_are_held_against_the_declared_metadata() -> None:
    schema = {"year": MetadataField(FieldType.NUMBER), "salary": MetadataField(FieldType.NUMBER, filterable=False)}
    conditions = {name: [{"field": f"metadata.{name}", "op": "eq", "value": 1}] for name in ("year", "salary")}
    query = body_of("x", filters=conditions["year"]).to_query(groups=(), default_top_k=5, schema=schema)
    assert query.filters == (Filter("metadata.year", FilterOp.EQ, 1),)
    with pytest.raises(InvalidQuery, match=r"unknown field 'metadata\.salary'; known are .* and metadata\.year$"):
        body_of("x", filters=conditions["salary"]).to_query(groups=(), default_top_k=5, schema=schema)
