"""Checking an evaluation's input."""

from __future__ import annotations

from typing import Any

import pytest

from ragstone.evaluation.errors import InvalidEvaluation
from ragstone.evaluation.request import DEFAULT_METRICS, TUNABLE, EvaluationRequest, object_at
from ragstone.settings import Settings
from ragstone.types import ObjectRef
from tests.support.evaluations import SETTINGS, request


def problem_of(**changes: Any) -> str:
    with pytest.raises(InvalidEvaluation) as raised:
        EvaluationRequest.parse(request(**changes))
    return str(raised.value)


def test_what_is_left_out_has_a_default() -> None:
    parsed = EvaluationRequest.parse(request(metrics=None))
    assert (parsed.metrics, parsed.repeats, parsed.seed, parsed.limit, parsed.judge) == (
        DEFAULT_METRICS,
        1,
        0,
        None,
        None,
    )


def test_a_null_is_as_good_as_left_out() -> None:
    event = {**request(), "corpus": None, "judge": None, "limit": None, "run_id": None, "git_sha": None}
    assert EvaluationRequest.parse(event) == EvaluationRequest.parse(request())


def test_an_unknown_key_lists_the_known_ones() -> None:
    assert "varints: unknown key; known are dataset, variants, metrics" in problem_of(varints=[])


def test_an_unknown_metric_lists_the_known_ones() -> None:
    problem = problem_of(metrics=["recal@5"])
    assert "metrics: unknown metric 'recal@k'; known are context_precision, context_recall" in problem


def test_a_cut_off_has_to_be_a_number() -> None:
    assert "needs a number from 1 after the @, for example recall@5" in problem_of(metrics=["recall@x"])


def test_a_metric_named_twice_is_measured_once() -> None:
    assert EvaluationRequest.parse(request(metrics=["recall@5", "recall@05", "mrr"])).metrics == ("recall@5", "mrr")


def test_an_unknown_variant_key_lists_the_known_ones() -> None:
    problem = problem_of(variants=[{"name": "small", "chunk_sise": 300}])
    assert (
        "variant 'small': unknown key 'chunk_sise'; known are name, agentic_rounds, agentic_tokens, breadcrumb"
        in problem
    )


def test_where_the_deployment_keeps_things_is_not_for_variants_to_change() -> None:
    assert "unknown key 'index_name'" in problem_of(variants=[{"name": "x", "index_name": "other"}])


def test_variants_have_different_names() -> None:
    assert "variants: x names more than one variant" in problem_of(variants=[{"name": "x"}, {"name": "x", "top_k": 3}])


def test_at_least_one_variant_is_needed() -> None:
    assert "variants: Tuple should have at least 1 item" in problem_of(variants=[])


def test_a_judged_metric_needs_a_judge() -> None:
    problem = problem_of(metrics=["mrr", "faithfulness"])
    assert problem == 'faithfulness needs a judge: add "judge": "provider:model"'


def test_a_gate_has_to_be_measured() -> None:
    problem = problem_of(gates={"recall@10": 0.8})
    assert "gates: recall@10 is not measured in this run; known are recall@5, mrr, refusal_precision" in problem


def test_every_problem_is_named_at_once() -> None:
    problem = problem_of(repeats=0, limit=0, dataset="gold.jsonl")
    assert all(name in problem for name in ("repeats:", "limit:", "dataset:"))


def test_every_tunable_key_is_a_setting() -> None:
    assert set(TUNABLE) <= set(Settings.model_fields)


def test_a_variant_changes_the_deployments_settings() -> None:
    [variant] = EvaluationRequest.parse(request(variants=[{"name": "x", "top_k": 9}])).variants
    assert variant.settings(SETTINGS) == SETTINGS.model_copy(update={"top_k": 9})


def test_a_wrong_value_names_the_variant_and_the_key() -> None:
    [variant] = EvaluationRequest.parse(request(variants=[{"name": "x", "top_k": 0}])).variants
    with pytest.raises(InvalidEvaluation, match="variant 'x': top_k: Input should be greater than or equal to 1"):
        variant.settings(SETTINGS)


def test_settings_that_contradict_each_other_are_refused() -> None:
    [variant] = EvaluationRequest.parse(
        request(variants=[{"name": "x", "chunk_size": 200, "chunk_overlap": 120}])
    ).variants
    with pytest.raises(InvalidEvaluation, match="variant 'x': chunk_overlap must be at most half of chunk_size"):
        variant.settings(SETTINGS)


def test_a_run_is_named_after_its_start_and_its_execution() -> None:
    assert EvaluationRequest.parse(request()).name_of_run() == "20260301T020000Z-nightly-7"


def test_an_executions_arn_is_named_by_its_last_part() -> None:
    arn = "arn:aws:states:eu-central-1:1:execution:eval:0c1f:a_b"
    assert EvaluationRequest.parse(request(execution=arn)).name_of_run() == "20260301T020000Z-a-b"


def test_a_given_name_of_a_run_is_kept() -> None:
    assert EvaluationRequest.parse(request(run_id="release-1.2")).name_of_run() == "release-1.2"


@pytest.mark.parametrize("run_id", ["../x", "a/b", "", "-x"])
def test_a_runs_name_is_a_plain_word(run_id: str) -> None:
    assert "run_id" in problem_of(run_id=run_id)


def test_an_address_names_a_bucket_and_a_key() -> None:
    assert object_at("s3://bucket/a/b c.jsonl") == ObjectRef("bucket", "a/b c.jsonl")
