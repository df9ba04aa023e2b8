from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragstone.errors import InvalidQuery
from ragstone.filters import as_order
from ragstone.index.facts import Condition, HasAny, HasOrder, HasText, condition, facts
from ragstone.types import ChunkKind, Filter, FilterOp
from tests.support.index_suite import chunk


def test_each_value_becomes_facts() -> None:
    found = facts(chunk("", title="A", metadata={"year": 2024, "day": "1970-01-01", "tags": ("x", "2"), "none": ()}))
    assert found == [
        '"source"',
        '"source"=a.md',
        '"title"',
        '"title"=A',
        '"kind"',
        '"kind"=text',
        '"back_matter"',
        '"back_matter"=false',
        '"metadata.year"',
        '"metadata.year"=2024',
        '"metadata.year"#c09fa00000000000',
        '"metadata.day"',
        '"metadata.day"=1970-01-01',
        '"metadata.day"@8000000000000000',
        '"metadata.tags"',
        '"metadata.tags"+x',
        '"metadata.tags"+2',
    ]


def test_a_name_can_t_pass_for_another_name_and_value() -> None:
    one = facts(chunk("", metadata={'a"=b': "c"}))
    other = facts(chunk("", metadata={"a": 'b"=c'}))
    assert set(one).isdisjoint(fact for fact in other if "metadata" in fact)


def test_long_values_are_cut_alike_in_chunks_and_filters() -> None:
    value = "x" * 40_000
    test = condition(Filter("metadata.a", FilterOp.EQ, value)).test
    assert isinstance(test, HasAny)
    kept = facts(chunk("", metadata={"a": value}))
    assert not set(test.facts).isdisjoint(kept)
    assert max(len(fact.encode()) for fact in kept) < 32_766


@pytest.mark.parametrize(
    ("op", "value", "expected"),
    [
        (FilterOp.EQ, 2, Condition(HasAny(('"title"=2', '"title"+2')))),
        (FilterOp.NOT_IN, ("a",), Condition(HasAny(('"title"=a', '"title"+a')), negated=True)),
        (FilterOp.EXISTS, False, Condition(HasAny(('"title"',)), negated=True)),
        (FilterOp.CONTAINS, "a*", Condition(HasText('"title"=', "a*", '"title"+a*'))),
        (FilterOp.LTE, 0, Condition(HasOrder('"title"#', FilterOp.LTE, "8000000000000000"))),
    ],
)
def test_filters_become_tests_on_facts(op: FilterOp, value: str | int | tuple[str, ...], expected: Condition) -> None:
    assert condition(Filter("title", op, value)) == expected


@pytest.mark.parametrize(("op", "value"), [(FilterOp.GT, "soon"), (FilterOp.CONTAINS, ("a",))])
def test_a_filter_that_was_not_checked_is_refused_all_the_same(op: FilterOp, value: str | tuple[str, ...]) -> None:
    with pytest.raises(InvalidQuery, match="title"):
        condition(Filter("title", op, value))


@given(st.floats(allow_nan=False, allow_infinity=False), st.floats(allow_nan=False, allow_infinity=False))
def test_keys_sort_like_the_numbers(one: float, other: float) -> None:
    keys: list[str] = []
    for value in (one, other):
        test = condition(Filter("title", FilterOp.GT, value)).test
        assert isinstance(test, HasOrder)
        assert as_order(value) is not None
        keys.append(test.key)
    assert (keys[0] < keys[1], keys[0] == keys[1]) == (one < other, one == other)


def test_what_a_text_names_are_members_of_one_field_but_not_for_parents() -> None:
    named = chunk("Ask Marta Lindqvist at NASA.", language="en")
    assert {'"entity"+marta lindqvist', '"entity"+nasa'} <= set(facts(named))
    assert condition(Filter("entity", FilterOp.IN, ("nasa",))).test == HasAny(('"entity"=nasa', '"entity"+nasa'))
    assert not any("entity" in fact for fact in facts(replace(named, kind=ChunkKind.PARENT)))
