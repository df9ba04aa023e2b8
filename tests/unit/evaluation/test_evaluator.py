"""Evaluating one attempt."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import ClassVar

import pytest

from ragstone.errors import PermanentError, TransientError
from ragstone.evaluation.errors import InvalidEvaluation
from ragstone.evaluation.evaluator import Evaluator
from ragstone.evaluation.judge import Judge
from ragstone.evaluation.metrics import Case, Metric, MetricKind, build_metrics
from ragstone.evaluation.ragas_adapter import Ragas
from ragstone.evaluation.request import EvaluationRequest
from ragstone.evaluation.results import Attempt, ItemResult, ItemStatus
from ragstone.evaluation.runs import RunFiles, RunPlan, VariantPlan
from ragstone.evaluation.scores import Score
from ragstone.evaluation.sections import Sections
from ragstone.types import Answer, ObjectRef, Query, TokenUsage
from tests.support.evaluations import (
    ANSWER,
    CORPUS,
    QUESTION,
    REFUSAL,
    REFUSED,
    REPORTS,
    SETTINGS,
    UNANSWERABLE,
    FakeAnswering,
    request,
)
from tests.support.fake_embedder import FakeEmbedder
from tests.support.fake_reader import FakeReader
from tests.support.fake_store import FakeStore
from tests.support.scripted_judge import ScriptedJudge, verdicts

FARE, MOON = Attempt("run", "base", "fare", 0), Attempt("run", "base", "moon", 0)
PLAN = RunPlan(
    run_id="run",
    identity="",
    request=EvaluationRequest.parse(request()),
    deployment=SETTINGS,
    variants=(VariantPlan("base", SETTINGS.model_copy(update={"top_k": 7}), "digest"),),
    corpus=CORPUS,
    corpus_state="",
    dataset_etag="",
    questions=2,
)
JUDGE = ScriptedJudge(
    {"StatementGeneratorOutput": [{"statements": ["a"]}], "NLIStatementOutput": [verdicts(1)]}, spec="scripted:judge"
)
RAGAS = Ragas(judge=Judge(JUDGE), embedder=FakeEmbedder())


@dataclass
class Broken:
    """A metric that raises."""

    error: Exception
    kind: ClassVar[MetricKind] = MetricKind.TEXT

    async def score(self, case: Case) -> Score:
        raise self.error


@dataclass
class Setup:
    answers: dict[str, Answer | Exception] = field(default_factory=lambda: {QUESTION.question: ANSWER})
    metrics: Mapping[str, Metric] = field(default_factory=lambda: build_metrics(["mrr", "rouge_l"], RAGAS))
    files: RunFiles = field(default_factory=lambda: RunFiles(FakeStore(), REPORTS, "run"))
    asked: list[Query] = field(default_factory=list[Query])

    async def evaluate(self, attempt: Attempt = FARE) -> ItemResult:
        answering = FakeAnswering(self.answers, self.asked)
        items = {item.id: item for item in (replace(QUESTION, groups=("crew",)), UNANSWERABLE)}
        evaluator = Evaluator(
            files=self.files,
            plan=PLAN,
            items=items,
            answering=lambda _: answering,
            sections=lambda _: Sections(CORPUS, FakeReader()),
            metrics=self.metrics,
        )
        return await evaluator.evaluate(attempt)


@pytest.fixture
def setup() -> Setup:
    return Setup()


async def test_an_answer_is_scored_and_written(setup: Setup) -> None:
    result = await setup.evaluate()
    assert (result.status, result.error) == (ItemStatus.OK, None)
    assert result.scores["mrr"] == Score.of(1.0)
    assert result.scores["rouge_l"].value == pytest.approx(2 * 3 / (5 + 4), abs=1e-6)
    assert setup.files.read_result(FARE) == result


async def test_the_result_says_what_was_answered_from_what(setup: Setup) -> None:
    await setup.evaluate()
    stored = setup.files.store.read(ObjectRef(REPORTS, "reports/run/items/base/fare-0.json"))
    assert stored is not None
    written = json.loads(stored.content)
    assert (written["status"], written["question"], written["tags"]) == ("ok", QUESTION.question, ["fares"])
    assert written["answer"]["text"] == "The ferry costs 4 euros."
    passages = written["answer"]["passages"]
    assert [(passage["document"], passage["gold"]) for passage in passages] == [("fares.md", [0]), ("bicycles.md", [])]
    assert written["answer"]["stages_ms"] == {"retrieve": 20.0, "total": 50.0}


async def test_the_question_is_put_as_the_variant_would_for_the_items_groups(setup: Setup) -> None:
    await setup.evaluate()
    assert setup.asked == [Query(QUESTION.question, top_k=7, groups=("crew",))]


async def test_a_refusal_is_a_result(setup: Setup) -> None:
    setup.answers = {UNANSWERABLE.question: REFUSED}
    result = await setup.evaluate(MOON)
    assert result.status is ItemStatus.OK
    assert result.answer is not None
    assert (result.answer.refusal, result.answer.text) == (REFUSAL, "")


async def test_a_result_is_not_computed_twice(setup: Setup) -> None:
    first = await setup.evaluate()
    assert await setup.evaluate() == first
    assert len(setup.asked) == 1


async def test_a_failed_result_is_computed_again(setup: Setup) -> None:
    setup.answers = {QUESTION.question: PermanentError("the key is wrong")}
    assert (await setup.evaluate()).status is ItemStatus.ERROR
    setup.answers = {QUESTION.question: ANSWER}
    assert (await setup.evaluate()).status is ItemStatus.OK


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (PermanentError("the key is wrong"), "the key is wrong"),
        (ZeroDivisionError("by zero"), "ZeroDivisionError: by zero"),
    ],
)
async def test_an_error_in_answering_is_the_result(setup: Setup, error: Exception, said: str) -> None:
    setup.answers = {QUESTION.question: error}
    result = await setup.evaluate()
    assert (result.status, result.error, result.answer) == (ItemStatus.ERROR, said, None)
    assert set(result.scores.values()) == {Score.error(f"no answer: {said}")}
    assert setup.files.read_result(FARE) == result


async def test_an_error_in_one_metric_leaves_the_others(setup: Setup) -> None:
    setup.metrics = {"broken": Broken(ValueError("zero-size array")), **setup.metrics}
    result = await setup.evaluate()
    assert (result.status, result.error) == (ItemStatus.INCOMPLETE, "broken: ValueError: zero-size array")
    assert result.scores["broken"] == Score.error("ValueError: zero-size array")
    assert result.scores["mrr"] == Score.of(1.0)


@pytest.mark.parametrize("place", ["answer", "metric"])
async def test_a_transient_error_is_raised_and_nothing_written(setup: Setup, place: str) -> None:
    busy = TransientError("busy")
    if place == "answer":
        setup.answers = {QUESTION.question: busy}
    else:
        setup.metrics = {"broken": Broken(busy), **setup.metrics}
    with pytest.raises(TransientError, match="busy"):
        await setup.evaluate()
    assert setup.files.read_result(FARE) is None


async def test_the_judges_tokens_are_counted_apart(setup: Setup) -> None:
    setup.metrics = build_metrics(["faithfulness"], RAGAS)
    result = await setup.evaluate()
    assert result.judge_usage == (TokenUsage("scripted:judge", 100, 20),) * 2
    assert result.answer is not None
    assert result.answer.usage == ()


async def test_a_question_that_is_not_in_the_run_is_named(setup: Setup) -> None:
    with pytest.raises(InvalidEvaluation, match="run run has no question 'sun' in its dataset"):
        await setup.evaluate(Attempt("run", "base", "sun", 0))
