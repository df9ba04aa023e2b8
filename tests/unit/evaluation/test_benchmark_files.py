from __future__ import annotations

import pytest

from ragstone.evaluation.benchmark_files import BenchmarkPassage, BenchmarkQuestion, BenchmarkSet
from ragstone.evaluation.errors import InvalidEvaluation

PASSAGES = b'{"id": "p1", "title": "Ferry", "text": "It runs.", "metadata": {"section": "Night", "year": 2024}}\n'
QUESTIONS = b'{"id": "q1", "question": "When?", "answerable": true, "gold": ["p1"], "reference": "at night"}\n'


def problem_of(passages: bytes, questions: bytes) -> str:
    with pytest.raises(InvalidEvaluation) as raised:
        BenchmarkSet.read(passages, questions)
    return str(raised.value)


def test_both_files_are_read() -> None:
    found = BenchmarkSet.read(PASSAGES, QUESTIONS)
    assert found.passages == (BenchmarkPassage("p1", "It runs.", "Ferry", {"section": "Night", "year": 2024}),)
    assert found.questions == (BenchmarkQuestion("q1", "When?", True, ("p1",), "at night"),)
    assert found.passages[0].section == "Night"


def test_gold_that_is_no_passage_is_named() -> None:
    problem = problem_of(PASSAGES, b'{"id": "q1", "question": "When?", "gold": ["p1", "p9"]}')
    assert problem == "1 gold passages are not among the passages: 'p9' of question 'q1'"


def test_a_bad_line_is_named_with_its_file() -> None:
    problem = problem_of(PASSAGES, b'{"id": "q1", "question": "When?", "golden": []}')
    assert problem.startswith("the questions: line 1: golden: unknown key; known are id, question, answerable, gold")


def test_an_id_names_one_passage() -> None:
    assert "2 lines have the id 'p1'; an id names one passage" in problem_of(PASSAGES * 2, QUESTIONS)


def test_an_empty_file_is_refused() -> None:
    assert "at least one of each" in problem_of(PASSAGES, b"\n")
