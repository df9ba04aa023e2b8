from __future__ import annotations

import pytest

from ragstone.evaluation.thresholds import Refusals, strictest

REFUSALS = Refusals.of(
    answerable=[True, True, True, True, False, False],
    confidence=[0.9, 0.8, 0.7, 0.2, 0.6, 0.1],
    coverage=[1.0, 1.0, 0.4, 1.0, 0.5, 0.0],
)


def test_each_threshold_has_both_sides() -> None:
    rates = {round(t.value, 2): (t.false_answers, t.over_refusals) for t in REFUSALS.by_confidence()}
    assert rates[0.0] == (1.0, 0.0)
    assert rates[0.5] == (0.5, 0.25)
    assert rates[0.75] == (0.0, 0.5)
    assert rates[1.0] == (0.0, 1.0)


def test_a_score_at_the_threshold_passes() -> None:
    at = {round(t.value, 2): t for t in REFUSALS.by_confidence()}
    assert (at[0.2].over_refusals, at[0.21].over_refusals) == (0.0, 0.25)


def test_coverage_comes_on_top_of_confidence() -> None:
    rates = {round(t.value, 2): (t.false_answers, t.over_refusals) for t in REFUSALS.by_coverage(0.5)}
    assert (rates[0.0], rates[0.45]) == ((0.5, 0.25), (0.5, 0.5))


@pytest.mark.parametrize(("allowed", "value"), [(0.0, 0.2), (0.25, 0.7), (1.0, 1.0)])
def test_the_strictest_threshold_within_what_is_allowed_is_taken(allowed: float, value: float) -> None:
    assert strictest(REFUSALS.by_confidence(), allowed).value == value
