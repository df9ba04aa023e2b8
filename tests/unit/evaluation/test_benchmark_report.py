"""A benchmark's report as JSON, as a table and as a page."""

from __future__ import annotations

import json

import pytest

from ragstone.evaluation.benchmark_report import (
    BINS,
    AnswerSummary,
    BenchmarkReport,
    ConfidenceSummary,
    StrategyResult,
    benchmark_json,
    benchmark_table,
)
from ragstone.evaluation.html import render_benchmark
from ragstone.evaluation.report import LatencySummary, RefusalSummary
from tests.unit.evaluation.test_html import Page

NONE_REFUSED = RefusalSummary(3, 1, 0, 0, None, 0.0, 0.0, 1.0, 0.0, {})
ONE_REFUSED = RefusalSummary(2, 0, 1, 1, 0.5, 1.0, 0.667, 0.0, 0.333, {"low_confidence": 2})
COUNTS = (*[0] * (BINS - 1), 3)


def result(recall: float, *, answers: AnswerSummary | None = None, stage: str = "search") -> StrategyResult:
    confidence = ConfidenceSummary(0.75, COUNTS, (1, *[0] * (BINS - 1)))
    return StrategyResult({"recall@5": recall}, confidence, {stage: LatencySummary(1.25, 2.5, 3.0, 4)}, 0, answers)


REPORT = BenchmarkReport(
    passages=10,
    questions=4,
    answerable=3,
    index="embedded",
    embedder="own:<model>",
    reranker="",
    calibration="",
    thresholds={"min_confidence": 0.4, "min_coverage": 0.1},
    strategies={
        "lexical": result(0.5, answers=AnswerSummary(0.9, 0.6, 1.0, NONE_REFUSED, ONE_REFUSED)),
        "<dense>": result(0.25, answers=AnswerSummary(None, None, None, NONE_REFUSED, NONE_REFUSED), stage="embed"),
    },
)


def test_json_holds_every_figure() -> None:
    found = json.loads(benchmark_json(REPORT))
    assert found["strategies"]["lexical"]["metrics"] == {"recall@5": 0.5}
    assert found["strategies"]["lexical"]["answers"]["after"]["refused_answerable"] == 1


def test_the_table_has_a_column_a_strategy() -> None:
    rows = [line.split("  ") for line in benchmark_table(REPORT).splitlines()]
    cells = {row[0]: [cell.strip() for cell in row[1:] if cell.strip()] for row in rows}
    assert cells["recall@5"] == ["0.500", "0.250"]
    assert cells["refusal AUC"] == ["0.750", "0.750"]
    assert cells["search p50 / p95 ms"] == ["1.2 / 2.5", "–"]
    assert cells["answerable, refused"] == ["0 → 1", "0 → 0"]
    assert cells["holds the reference"] == ["0.600", "–"]
    assert "degraded" not in cells


@pytest.fixture(scope="module")
def page() -> Page:
    return Page(render_benchmark(REPORT))


def test_the_page_needs_nothing_else(page: Page) -> None:
    assert page.foreign == []
    assert page.open == []


@pytest.mark.parametrize("shown", ["own:<model>", "<dense>: AUC 0.750", "recall@5", "0 → 1", "False-answer rate"])
def test_the_page_shows_what_was_found_with_text_escaped(page: Page, shown: str) -> None:
    assert shown in " ".join(page.text.split())
