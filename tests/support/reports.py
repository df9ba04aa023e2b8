"""A whole report for tests: two variants over four questions, one of them unanswerable."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from ragstone.evaluation.gold import GoldItem
from ragstone.evaluation.report import Report
from ragstone.evaluation.reporter import Reporter
from ragstone.evaluation.request import EvaluationRequest
from ragstone.evaluation.results import Attempt, GivenAnswer, ItemResult
from ragstone.evaluation.runs import RunFiles, RunPlan, VariantPlan
from ragstone.evaluation.scores import Score
from ragstone.types import TokenUsage
from tests.support.evaluations import CORPUS, REFUSAL, REPORTS, SETTINGS, request
from tests.support.fake_store import FakeStore

FINISHED = datetime(2026, 3, 1, 2, 5, tzinfo=UTC)
SMALL = SETTINGS.model_copy(update={"chunk_size": 400, "index_name": "eval-small"})
ITEMS = tuple(
    GoldItem(name, f"question {name}", answerable=name != "moon", tags=("fares",) if name == "a" else ())
    for name in ("a", "b", "c", "moon")
)
VALUES = {"base": {"a": 1.0, "b": 0.5, "c": 0.0}, "small": {"a": 1.0, "b": 1.0, "c": 0.5}}


def plan(run_id: str, **changes: Any) -> RunPlan:
    variants = [{"name": "base"}, {"name": "small", "chunk_size": 400}]
    given = {"metrics": ["mrr", "rouge_l"], "gates": {"mrr": 0.6}, "git_sha": "abc123", **changes}
    asked = request(variants=variants, **given)
    return RunPlan(
        run_id=run_id,
        identity="",
        request=EvaluationRequest.parse(asked),
        deployment=SETTINGS,
        variants=(VariantPlan("base", SETTINGS, "d1"), VariantPlan("small", SMALL, "d2")),
        corpus=CORPUS,
        corpus_state="state",
        dataset_etag="etag",
        questions=len(ITEMS),
    )


def measured(store: FakeStore, run_id: str = "run", **changes: Any) -> RunFiles:
    """A run whose attempts are all evaluated, but for `base` on the unanswerable question, which left no result."""
    files = RunFiles(store, REPORTS, run_id)
    planned = plan(run_id, **changes)
    files.write_plan(planned, ITEMS)
    for item in ITEMS:
        for attempt in planned.attempts([item]):
            if (attempt.variant, attempt.item_id) != ("base", "moon"):
                files.write_result(_result(attempt, item))
    return files


def reported(run_id: str = "run", **changes: Any) -> Report:
    return reporter(measured(FakeStore(), run_id, **changes)).report()


def reporter(files: RunFiles) -> Reporter:
    return Reporter(files=files, clock=lambda: FINISHED)


def _result(attempt: Attempt, item: GoldItem) -> ItemResult:
    value = VALUES[attempt.variant].get(item.id)
    scores = {
        "mrr": Score.skipped("the question is unanswerable") if value is None else Score.of(value),
        "rouge_l": Score.undefined("<b>nothing</b>") if item.id == "b" else Score.of(0.25),
    }
    answer = GivenAnswer(
        text="" if value is None else "An answer.",
        refusal=REFUSAL if value is None else None,
        confidence=0.5,
        citations=(),
        passages=(),
        stages_ms={"total": 10.0},
        usage=(TokenUsage("own:model", 100, 10),),
        cost_usd=None,
    )
    return ItemResult.answered(attempt, item, answer, scores, (TokenUsage("own:judge", 500, 50),))
