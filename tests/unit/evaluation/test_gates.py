"""Gates of a run."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ragstone.evaluation.gates import check_gates
from ragstone.evaluation.report import Gate, MetricSummary, RefusalSummary, UsageSummary, VariantReport

METRIC = MetricSummary(0.8, 10, 0, 0, (0.7, 0.9), None, {}, {})
REFUSALS = RefusalSummary(4, 2, 1, 3, 0.75, 0.6, 0.67, 0.4, 0.2, {})
FREE = UsageSummary({}, 0.0)
VARIANT = VariantReport({}, "chunks", 10, 0, {"recall@5": METRIC}, {}, REFUSALS, {}, FREE, FREE)


def without_value(**changes: object) -> VariantReport:
    summary = replace(METRIC, mean=None, ci95=None, n=0, **changes)  # pyright: ignore[reportArgumentType]
    return replace(VARIANT, metrics={"recall@5": summary})


@pytest.mark.parametrize(("minimum", "passed"), [(0.79, True), (0.8, True), (0.81, False)])
def test_a_mean_has_to_reach_the_minimum(minimum: float, passed: bool) -> None:
    assert list(check_gates({"recall@5": minimum}, {"base": VARIANT})) == [
        Gate("recall@5", minimum, "base", 0.8, passed)
    ]


def test_every_variant_has_to_pass() -> None:
    worse = replace(VARIANT, metrics={"recall@5": replace(METRIC, mean=0.5)})
    gates = check_gates({"recall@5": 0.7}, {"base": VARIANT, "new": worse})
    assert [(gate.variant, gate.passed) for gate in gates] == [("base", True), ("new", False)]


@pytest.mark.parametrize(
    ("metric", "value"), [("refusal_precision", 0.75), ("refusal_recall", 0.6), ("refusal_f1", 0.67)]
)
def test_refusals_can_be_gated(metric: str, value: float) -> None:
    [gate] = check_gates({metric: 0.7}, {"base": VARIANT})
    assert (gate.value, gate.passed) == (value, value >= 0.7)


def test_a_metric_without_any_value_fails_with_the_commonest_reason() -> None:
    down = without_value(n_missing=10, missing={"the judge is down": 9, "too late": 1})
    [gate] = check_gates({"recall@5": 0.0}, {"base": down})
    assert (gate.value, gate.passed) == (None, False)
    assert gate.reason == "10 of 10 values are missing, most because: the judge is down"


def test_a_gate_that_holds_over_part_of_the_values_says_so() -> None:
    partial = replace(VARIANT, metrics={"recall@5": replace(METRIC, n_missing=2, missing={"too late": 2})})
    [gate] = check_gates({"recall@5": 0.8}, {"base": partial})
    assert (gate.passed, gate.reason) == (True, "2 of 12 values are missing, most because: too late")


def test_a_metric_that_applies_to_nothing_fails() -> None:
    [gate] = check_gates({"recall@5": 0.0}, {"base": without_value(n_skipped=10)})
    assert (gate.passed, gate.reason) == (False, "it applies to none of the answers")


def test_refusals_that_never_were_fail_their_gate() -> None:
    never = replace(VARIANT, refusal=replace(REFUSALS, f1=None))
    [gate] = check_gates({"refusal_f1": 0.0}, {"base": never})
    assert (gate.passed, gate.reason) == (False, "there were no refusals to measure")
