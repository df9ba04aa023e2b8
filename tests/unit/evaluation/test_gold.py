"""Reading and sampling datasets."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragstone.evaluation.errors import InvalidEvaluation
from ragstone.evaluation.gold import GoldEntry, GoldItem, read_gold, sample, write_gold
from tests.support.evaluations import QUESTION, UNANSWERABLE

MANY = [GoldItem(f"q{n}", f"question {n}") for n in range(100)]


def problem_of(content: str) -> str:
    with pytest.raises(InvalidEvaluation) as raised:
        read_gold(content.encode(), "gold.jsonl")
    return str(raised.value)


def test_a_line_is_an_item() -> None:
    line = '{"id": "a", "question": " Why? ", "gold": [{"document": "b.pdf", "page": 3}], "tags": ["t"]}'
    assert read_gold(line.encode(), "gold.jsonl") == (
        GoldItem("a", "Why?", gold=(GoldEntry("b.pdf", page=3),), tags=("t",)),
    )


def test_written_items_read_back() -> None:
    assert read_gold(write_gold([QUESTION, UNANSWERABLE]), "gold.jsonl") == (QUESTION, UNANSWERABLE)


def test_empty_lines_and_a_byte_order_mark_are_no_items() -> None:
    content = '\ufeff{"id": "a", "question": "Why?"}\r\n\r\n'.encode()
    assert [item.id for item in read_gold(content, "gold.jsonl")] == ["a"]


def test_a_line_separator_inside_a_question_does_not_end_the_line() -> None:
    [item] = read_gold('{"id": "a", "question": "one\u2028two"}'.encode(), "gold.jsonl")
    assert item.question == "one\u2028two"


def test_a_bad_line_is_named_with_what_is_wrong() -> None:
    problem = problem_of('{"id": "a", "question": "Why?"}\n{"id": "b", "question": "Why?", "anserable": false}')
    assert problem.startswith("gold.jsonl: line 2: anserable: unknown key; known are id, question, reference")


def test_a_line_that_is_not_json_is_named() -> None:
    assert "gold.jsonl: line 1: Invalid JSON" in problem_of("not json")


def test_an_item_without_a_question_is_refused() -> None:
    assert "line 1: question" in problem_of('{"id": "a", "question": "  "}')


def test_an_id_names_one_question() -> None:
    assert "2 lines have the id 'a'" in problem_of('{"id": "a", "question": "x"}\n{"id": "a", "question": "y"}')


def test_only_the_first_problems_are_listed() -> None:
    assert problem_of("x\n" * 8).endswith("; and 3 more")


def test_an_empty_dataset_says_how_to_write_one() -> None:
    assert 'write one a line: {"id"' in problem_of("\n")


@given(limit=st.integers(1, 120), seed=st.integers(0, 1000))
def test_a_sample_keeps_the_order_and_the_limit(limit: int, seed: int) -> None:
    drawn = sample(MANY, limit=limit, seed=seed)
    assert len(drawn) == min(limit, 100)
    assert [item.id for item in MANY if item in drawn] == [item.id for item in drawn]


def test_a_sample_depends_on_the_seed_only() -> None:
    drawn = sample(MANY, limit=10, seed=1)
    assert set(sample(MANY[::-1], limit=10, seed=1)) == set(drawn)
    assert sample(MANY, limit=10, seed=2) != drawn


def test_without_a_limit_all_items_are_drawn() -> None:
    assert sample(MANY, limit=None, seed=0) == tuple(MANY)
