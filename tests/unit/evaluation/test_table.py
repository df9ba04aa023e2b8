"""The report as a table for the terminal."""

from __future__ import annotations

import json
from typing import Any

from ragstone.evaluation.report import report_json
from ragstone.evaluation.table import render
from tests.support.reports import reported


def table(**changes: Any) -> str:
    return render(json.loads(report_json(reported(**changes))))


def line(label: str, text: str) -> list[str]:
    return next(line for line in text.splitlines() if line.startswith(label)).removeprefix(label).split()


def test_the_run_and_its_variants_head_the_table() -> None:
    lines = table().splitlines()
    assert lines[0] == "Run run: 4 questions over s3://documents/inbox/"
    assert lines[2].split() == ["base", "small"]


def test_metrics_have_their_intervals_and_what_is_missing() -> None:
    assert line("mrr", table()) == ["0.500", "[0.000,", "1.000]", "(1", "missing)", "0.833", "[0.500,", "1.000]"]


def test_columns_are_aligned_to_the_right() -> None:
    rows = table().split("\n\n")[1].splitlines()
    assert len({len(row) for row in rows}) == 1


def test_refusals_latency_cost_and_failures_are_there() -> None:
    text = table()
    assert line("refusal recall", text) == ["–", "1.000"]
    assert line("latency p50 / p95", text) == ["10", "/", "10", "ms"] * 2
    assert line("cost of answers", text) == ["unknown", "unknown"]
    assert line("without an answer", text) == ["1", "of", "4", "0", "of", "4"]


def test_gates_end_the_table() -> None:
    assert table().splitlines()[-3:] == [
        "FAIL  mrr ≥ 0.6  base: 0.500 (1 of 4 values are missing, most because: "
        "no answer: its evaluation failed or never started)",
        "pass  mrr ≥ 0.6  small: 0.833",
        "The run failed its gates.",
    ]


def test_a_run_without_gates_says_so() -> None:
    assert table(gates={}).endswith("No gates were set.\n")
