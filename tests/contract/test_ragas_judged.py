"""ragas' own judged metrics over a scripted judge that replies in the forms that ragas asks for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest

from ragstone.errors import SettingsError, TransientError
from ragstone.evaluation.errors import JudgeError
from ragstone.evaluation.gold import GoldItem
from ragstone.evaluation.judge import MAX_TOKENS, Judge
from ragstone.evaluation.metrics import Case, build_metrics
from ragstone.evaluation.ragas_adapter import Ragas
from ragstone.evaluation.scores import Score, ScoreStatus
from tests.support.evaluations import QUESTION, REFUSED, UNANSWERABLE, answering_with, case
from tests.support.fake_embedder import FakeEmbedder
from tests.support.scripted_judge import Said, ScriptedJudge, verdicts

STATEMENTS = {"statements": ["s0", "s1", "s2", "s3"]}
JUDGED = ("faithfulness", "factual_correctness", "context_precision", "context_recall")
NO_REFERENCE = GoldItem("fare", QUESTION.question, gold=QUESTION.gold)


async def score(metric: str, replies: Mapping[str, Sequence[Said]], asked: Case | None = None) -> Score:
    return await score_by(metric, ScriptedJudge(replies), asked)


async def score_by(metric: str, model: ScriptedJudge, asked: Case | None = None) -> Score:
    metrics = build_metrics([metric], Ragas(judge=Judge(model), embedder=FakeEmbedder()))
    return await metrics[metric].score(asked or case())


def useful(verdict: int) -> dict[str, Any]:
    return {"reason": "r", "verdict": verdict}


def attributed(*values: int) -> dict[str, Any]:
    return {"classifications": [{"statement": "s", "reason": "r", "attributed": value} for value in values]}


async def test_faithfulness_is_the_share_of_supported_statements() -> None:
    model = ScriptedJudge({"StatementGeneratorOutput": [STATEMENTS], "NLIStatementOutput": [verdicts(1, 1, 1, 0)]})
    assert await score_by("faithfulness", model) == Score.of(0.75)
    assert "What does the ferry cost?" in model.prompts[0].user
    assert "Bicycles travel free of charge." in model.prompts[1].user


async def test_context_precision_is_the_average_precision() -> None:
    first_is_useless = {"ContextPrecisionOutput": [useful(0), useful(1)]}
    assert await score("context_precision", first_is_useless) == Score.of(0.5)
    assert await score("context_precision", {"ContextPrecisionOutput": [useful(1)]}) == Score.of(1.0)


async def test_context_recall_is_the_share_of_attributed_statements() -> None:
    assert await score("context_recall", {"ContextRecallOutput": [attributed(1, 1, 0)]}) == Score.of(2 / 3)


async def test_factual_correctness_is_the_f1_of_both_directions() -> None:
    """The answer's claims: 3 of 4 hold. The reference's: 2 of 3 are covered, which ragas' own recall gets wrong."""
    replies = {
        "ClaimDecompositionOutput": [{"claims": ["a", "b", "c", "d"]}, {"claims": ["x", "y", "z"]}],
        "NLIStatementOutput": [verdicts(1, 1, 1, 0), verdicts(1, 1, 0)],
    }
    scored = await score("factual_correctness", replies)
    assert scored.value == pytest.approx(2 * 0.75 * 0.67 / (0.75 + 0.67), abs=1e-6)
    assert scored.reason == "precision 0.75, recall 0.67"


async def test_factual_correctness_without_any_agreement_is_0() -> None:
    replies = {"ClaimDecompositionOutput": [{"claims": ["a"]}], "NLIStatementOutput": [verdicts(0)]}
    assert (await score("factual_correctness", replies)).value == 0.0


@pytest.mark.parametrize(
    ("metric", "replies", "missing"),
    [
        ("faithfulness", {"StatementGeneratorOutput": [{"statements": []}]}, "statements"),
        ("faithfulness", {"StatementGeneratorOutput": [STATEMENTS], "NLIStatementOutput": [verdicts()]}, "statements"),
        ("factual_correctness", {"ClaimDecompositionOutput": [{"claims": []}]}, "claims"),
        ("context_recall", {"ContextRecallOutput": [attributed()]}, "classifications"),
    ],
)
async def test_a_judge_with_nothing_to_say_leaves_the_metric_undefined(
    metric: str, replies: Mapping[str, Sequence[Said]], missing: str
) -> None:
    assert await score(metric, replies) == Score.undefined(f"the judge returned no {missing}")


async def test_a_judge_that_never_replies_in_form_is_an_error_with_its_reason() -> None:
    model = ScriptedJudge({"StatementGeneratorOutput": ["Sure!"]})
    with pytest.raises(JudgeError, match="gave no StatementGeneratorOutput in 3 tries: Invalid JSON"):
        await score_by("faithfulness", model)
    assert len(model.prompts) == 3


async def test_a_judge_that_replies_in_form_at_last_is_heard() -> None:
    replies = {"StatementGeneratorOutput": ["Sure!", STATEMENTS], "NLIStatementOutput": [verdicts(1)]}
    assert await score("faithfulness", replies) == Score.of(1.0)


async def test_a_judge_that_is_cut_off_is_an_error() -> None:
    model = ScriptedJudge({"StatementGeneratorOutput": ['{"statements": ["a', ""]}, output_tokens=MAX_TOKENS)
    with pytest.raises(JudgeError, match="cut off"):
        await score_by("faithfulness", model)


@pytest.mark.parametrize("metric", JUDGED)
async def test_a_judge_that_is_down_is_tried_again_later(metric: str) -> None:
    down: list[Said] = [TransientError("the judge is down")]
    forms = ("StatementGeneratorOutput", "ClaimDecompositionOutput", "ContextPrecisionOutput", "ContextRecallOutput")
    with pytest.raises(TransientError):
        await score(metric, dict.fromkeys(forms, down))


@pytest.mark.parametrize(
    ("metric", "asked", "expected"),
    [
        ("faithfulness", case(answer=REFUSED), ScoreStatus.SKIPPED),
        ("factual_correctness", case(answer=REFUSED), ScoreStatus.SKIPPED),
        ("factual_correctness", case(NO_REFERENCE), ScoreStatus.SKIPPED),
        ("factual_correctness", case(UNANSWERABLE), ScoreStatus.SKIPPED),
        ("context_precision", case(NO_REFERENCE), ScoreStatus.SKIPPED),
        ("context_recall", case(NO_REFERENCE), ScoreStatus.SKIPPED),
        ("context_precision", case(UNANSWERABLE), ScoreStatus.SKIPPED),
        ("context_recall", case(UNANSWERABLE), ScoreStatus.SKIPPED),
    ],
)
async def test_what_does_not_apply_never_reaches_the_judge(metric: str, asked: Case, expected: ScoreStatus) -> None:
    model = ScriptedJudge({})
    scored = await score_by(metric, model, asked)
    assert (scored.status, scored.value, model.prompts) == (expected, None, [])
    assert scored.reason


@pytest.mark.parametrize("metric", ["faithfulness", "context_precision", "context_recall"])
async def test_without_passages_the_score_is_0_and_the_judge_is_not_asked(metric: str) -> None:
    model = ScriptedJudge({})
    scored = await score_by(metric, model, case(answer=answering_with()))
    assert scored == Score.of(0.0, "no passage was retrieved")
    assert model.prompts == []


async def test_contexts_of_a_refusal_are_still_judged() -> None:
    refused_with_passages = replace(REFUSED, passages=answering_with(*case().answer.passages).passages)
    asked = case(answer=refused_with_passages)
    assert await score("context_recall", {"ContextRecallOutput": [attributed(1)]}, asked) == Score.of(1.0)


async def test_a_judged_metric_without_a_judge_says_how_to_set_one() -> None:
    metrics = build_metrics(["faithfulness"], Ragas(judge=None, embedder=FakeEmbedder()))
    with pytest.raises(SettingsError, match='add "judge": "provider:model"'):
        await metrics["faithfulness"].score(case())
