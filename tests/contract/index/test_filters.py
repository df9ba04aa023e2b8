"""What every chunk index lets through: filters and access, inside both legs."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ragstone.ports import ChunkIndex
from ragstone.types import ChunkKind, EmbeddedChunk, Filter, FilterOp
from tests.support.fake_index import matches
from tests.support.index_suite import chunk, embedded, ordinals, search, unit

SHELF = [
    chunk("lamp", 0, source="a/x.pdf", title="Harbour Fares", language="en", metadata={"year": 2023, "tags": ("art",)}),
    chunk("lamp", 1, source="a/y.md", title="harbour", language="de", metadata={"year": "2024", "open": True}),
    chunk("lamp", 2, source="b/x.pdf", kind=ChunkKind.ROW, metadata={"year": 2024.5, "day": "2024-05-01"}),
    chunk("lamp", 3, source="100%_\\'\"", metadata={"day": "2024-05-01T22:30:00+02:00", "tags": ("cart", "2024")}),
    chunk("lamp", 4, title="Öl", metadata={"year": "late", "day": "2023-12-31", "open": "false", 'a.b="c': -3}),
    chunk("lamp", 5, is_back_matter=True, metadata={"year": -1e9, "empty": (), 'a.b="c': -20, "open": False}),
]


@pytest.fixture
def shelf(index: ChunkIndex) -> ChunkIndex:
    index.add(embedded(*SHELF))
    return index


CONDITIONS: list[tuple[Filter, set[int]]] = [
    (Filter("source", FilterOp.EQ, "a/x.pdf"), {0}),
    (Filter("source", FilterOp.EQ, "a/x"), set[int]()),
    (Filter("source", FilterOp.NE, "a/x.pdf"), {1, 2, 3, 4, 5}),
    (Filter("source", FilterOp.IN, ("a/x.pdf", "b/x.pdf", "?")), {0, 2}),
    (Filter("source", FilterOp.IN, ()), set[int]()),
    (Filter("source", FilterOp.NOT_IN, ("a/x.pdf", "b/x.pdf")), {1, 3, 4, 5}),
    (Filter("source", FilterOp.NOT_IN, ()), {0, 1, 2, 3, 4, 5}),
    (Filter("source", FilterOp.CONTAINS, "x.p"), {0, 2}),
    (Filter("source", FilterOp.CONTAINS, "%_\\'\""), {3}),
    (Filter("source", FilterOp.CONTAINS, "*"), set[int]()),
    (Filter("source", FilterOp.CONTAINS, "?.pdf"), set[int]()),
    (Filter("title", FilterOp.CONTAINS, "arbour"), {0, 1}),
    (Filter("title", FilterOp.CONTAINS, "Harbour"), {0}),
    (Filter("title", FilterOp.EXISTS, True), {0, 1, 4}),
    (Filter("title", FilterOp.EXISTS, False), {2, 3, 5}),
    (Filter("title", FilterOp.EQ, "Öl"), {4}),
    (Filter("title", FilterOp.NE, "Öl"), {0, 1, 2, 3, 5}),
    (Filter("language", FilterOp.IN, ("de", "en")), {0, 1}),
    (Filter("kind", FilterOp.EQ, "row"), {2}),
    (Filter("kind", FilterOp.NE, "row"), {0, 1, 3, 4, 5}),
    (Filter("back_matter", FilterOp.EQ, True), {5}),
    (Filter("back_matter", FilterOp.NE, True), {0, 1, 2, 3, 4}),
    (Filter("metadata.year", FilterOp.EQ, 2024), {1}),
    (Filter("metadata.year", FilterOp.EQ, "2023"), {0}),
    (Filter("metadata.year", FilterOp.GTE, 2024), {1, 2}),
    (Filter("metadata.year", FilterOp.GT, 2024), {2}),
    (Filter("metadata.year", FilterOp.LT, "2024"), {0, 5}),
    (Filter("metadata.year", FilterOp.LTE, 2024), {0, 1, 5}),
    (Filter("metadata.year", FilterOp.LT, 0), {5}),
    (Filter("metadata.year", FilterOp.GT, "2020-01-01"), set[int]()),
    (Filter('metadata.a.b="c', FilterOp.GT, -10), {4}),
    (Filter('metadata.a.b="c', FilterOp.LT, -3.5), {5}),
    (Filter("metadata.day", FilterOp.GTE, "2024-05-01"), {2, 3}),
    (Filter("metadata.day", FilterOp.GT, "2024-05-01T20:00:00Z"), {3}),
    (Filter("metadata.day", FilterOp.LT, "2024-05-01"), {4}),
    (Filter("metadata.day", FilterOp.LTE, "2024-05-01"), {2, 4}),
    (Filter("metadata.tags", FilterOp.CONTAINS, "art"), {0}),
    (Filter("metadata.tags", FilterOp.EQ, "cart"), {3}),
    (Filter("metadata.tags", FilterOp.IN, ("art", "cart")), {0, 3}),
    (Filter("metadata.tags", FilterOp.GT, 0), set[int]()),
    (Filter("metadata.empty", FilterOp.EXISTS, True), set[int]()),
    (Filter("metadata.open", FilterOp.EQ, True), {1}),
    (Filter("metadata.open", FilterOp.EQ, False), {4, 5}),
    (Filter("metadata.open", FilterOp.EXISTS, True), {1, 4, 5}),
    (Filter("metadata.nothing", FilterOp.NE, "x"), {0, 1, 2, 3, 4, 5}),
]


def test_filters_hold_in_both_legs(shelf: ChunkIndex) -> None:
    found = [(condition, search(shelf, "lamp", condition)) for condition, _ in CONDITIONS]
    for leg in ("lexical", "dense"):
        passed = [(condition, set(ordinals(getattr(legs, leg)))) for condition, legs in found]
        assert passed == CONDITIONS


def test_a_long_text_may_be_asked_for(index: ChunkIndex) -> None:
    index.add(embedded(chunk("lamp", metadata={"note": "x" * 3_000 + "ab" * 3_000}), chunk("lamp", 1)))
    for op, value in ((FilterOp.CONTAINS, "x" * 100), (FilterOp.EQ, "x" * 3_000 + "ab" * 3_000)):
        legs = search(index, "lamp", Filter("metadata.note", op, value))
        assert (ordinals(legs.lexical), ordinals(legs.dense)) == ([0], [0])


def test_all_filters_must_hold(shelf: ChunkIndex) -> None:
    both = [Filter("source", FilterOp.CONTAINS, "x.pdf"), Filter("metadata.year", FilterOp.GT, 2023)]
    legs = search(shelf, "lamp", *both)
    assert (ordinals(legs.lexical), ordinals(legs.dense)) == ([2], [2])


def test_a_narrow_filter_still_fills_both_legs(index: ChunkIndex) -> None:
    """The twenty chunks that pass are the worst for both legs: a filter after the search would find none."""
    near, far = unit(0), (-np.array(unit(0))).tolist()
    good = [EmbeddedChunk(chunk("lamp " * 5, number), near) for number in range(600)]
    poor = [EmbeddedChunk(chunk("lamp and much else " * 5, 1_000 + n, source="b.md"), far) for n in range(20)]
    index.add([*good, *poor])
    legs = search(index, "lamp", Filter("source", FilterOp.EQ, "b.md"), depth=10)
    assert ordinals(legs.lexical) == ordinals(legs.dense) == list(range(1_000, 1_010))


ODD_TEXT = st.text(
    st.one_of(st.sampled_from("'\"\\%_*?$#@=+[]{}ab \n\x1e"), st.characters(codec="utf-8")), min_size=1, max_size=80
)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(values=st.lists(ODD_TEXT, min_size=2, max_size=6), name=ODD_TEXT, probe=st.data())
def test_any_text_may_stand_in_a_filter(index: ChunkIndex, values: list[str], name: str, probe: st.DataObject) -> None:
    index.remove("d1")
    chunks = [chunk("lamp", number, metadata={name: value}) for number, value in enumerate(values)]
    index.add(embedded(*chunks))
    value = probe.draw(st.sampled_from(values))
    start = probe.draw(st.integers(0, len(value) - 1))
    part = value[start : probe.draw(st.integers(start + 1, len(value)))]
    for op, wanted in ((FilterOp.EQ, value), (FilterOp.NE, value), (FilterOp.CONTAINS, part)):
        condition = Filter(f"metadata.{name}", op, wanted)
        expected = {number for number, candidate in enumerate(chunks) if matches(candidate, condition)}
        legs = search(index, "lamp", condition)
        assert (set(ordinals(legs.lexical)), set(ordinals(legs.dense))) == (expected, expected)


NUMBER = st.one_of(st.integers(-(10**18), 10**18), st.floats(allow_nan=False, allow_infinity=False))
RANGES = st.sampled_from([FilterOp.GT, FilterOp.GTE, FilterOp.LT, FilterOp.LTE, FilterOp.EQ, FilterOp.NE])


@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(values=st.lists(NUMBER, min_size=1, max_size=5), bound=NUMBER, op=RANGES)
def test_any_number_may_stand_in_a_range(index: ChunkIndex, values: list[float], bound: float, op: FilterOp) -> None:
    index.remove("d1")
    chunks = [chunk("lamp", n, metadata={"size": value}) for n, value in enumerate([*values, bound, True, ("1",)])]
    index.add(embedded(*chunks))
    condition = Filter("metadata.size", op, bound)
    expected = {number for number, candidate in enumerate(chunks) if matches(candidate, condition)}
    legs = search(index, "lamp", condition)
    assert (set(ordinals(legs.lexical)), set(ordinals(legs.dense))) == (expected, expected)


@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(lists=st.lists(st.lists(ODD_TEXT, max_size=3).map(tuple), min_size=1, max_size=4), wanted=st.data())
def test_any_text_may_stand_in_a_list(index: ChunkIndex, lists: list[tuple[str, ...]], wanted: st.DataObject) -> None:
    index.remove("d1")
    chunks = [chunk("lamp", number, metadata={"tags": tags}, source=f"{number}*") for number, tags in enumerate(lists)]
    index.add(embedded(*chunks))
    known = sorted({tag for tags in lists for tag in tags}) or ["?"]
    asked = tuple(wanted.draw(st.lists(st.one_of(st.sampled_from(known), ODD_TEXT), max_size=3)))
    for op in (FilterOp.IN, FilterOp.NOT_IN):
        condition = Filter("metadata.tags", op, asked)
        expected = {number for number, candidate in enumerate(chunks) if matches(candidate, condition)}
        legs = search(index, "lamp", condition)
        assert (set(ordinals(legs.lexical)), set(ordinals(legs.dense))) == (expected, expected)


@pytest.mark.parametrize(
    ("groups", "expected"),
    [
        ((), {0}),
        (("crew",), {0, 1, 2}),
        (("o'brien",), {0, 2, 3}),
        (("cre", "crew "), {0}),
        (("crew", "o'brien"), {0, 1, 2, 3}),
    ],
)
def test_both_legs_show_only_what_the_groups_may_read(
    index: ChunkIndex, groups: tuple[str, ...], expected: set[int]
) -> None:
    lists: list[tuple[str, ...]] = [(), ("crew",), ("o'brien", "crew"), ("o'brien",)]
    index.add(embedded(*(chunk("lamp", number, acl=acl) for number, acl in enumerate(lists))))
    for filters in ((), (Filter("source", FilterOp.EQ, "a.md"),)):
        legs = search(index, "lamp", *filters, groups=groups)
        assert (set(ordinals(legs.lexical)), set(ordinals(legs.dense))) == (expected, expected)
