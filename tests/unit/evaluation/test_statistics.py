"""Intervals and tests against cases whose result is known."""

from __future__ import annotations

from math import comb, sqrt

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragstone.evaluation.statistics import EXACT_UP_TO, auc, bootstrap_ci95, permutation_p


def test_values_that_are_all_alike_have_no_spread() -> None:
    assert bootstrap_ci95([0.7] * 10, seed=0) == (0.7, 0.7)


@pytest.mark.parametrize("values", [[], [0.5]])
def test_fewer_than_two_values_have_no_interval(values: list[float]) -> None:
    assert bootstrap_ci95(values, seed=0) is None


def test_the_interval_of_many_coin_tosses_is_that_of_the_normal_distribution() -> None:
    """Half of 400 tosses: the standard error is 0.5 / 20, and 1.96 of them make the half width."""
    low_high = bootstrap_ci95([0.0, 1.0] * 200, seed=3)
    assert low_high is not None
    half_width = 1.96 * 0.5 / sqrt(400)
    assert low_high[0] == pytest.approx(0.5 - half_width, abs=0.004)
    assert low_high[1] == pytest.approx(0.5 + half_width, abs=0.004)


def test_the_interval_of_two_values_reaches_from_one_to_the_other() -> None:
    """Half of all resamples hold the same value twice."""
    assert bootstrap_ci95([0.0, 1.0], seed=0) == (0.0, 1.0)


def test_an_interval_depends_on_the_seed_only() -> None:
    values = [0.1, 0.5, 0.6, 0.9, 0.3]
    assert bootstrap_ci95(values, seed=1) == bootstrap_ci95(values, seed=1)


@settings(max_examples=20, deadline=None)
@given(st.lists(st.floats(0, 1), min_size=2, max_size=30))
def test_an_interval_holds_the_mean_and_lies_within_the_values(values: list[float]) -> None:
    low_high = bootstrap_ci95(values, seed=0)
    assert low_high is not None
    mean = sum(values) / len(values)
    assert min(values) - 1e-6 <= low_high[0] <= mean + 1e-6
    assert mean - 1e-6 <= low_high[1] <= max(values) + 1e-6


def test_no_difference_is_no_evidence() -> None:
    assert permutation_p([0.0] * 5, seed=0) == 1.0
    assert permutation_p([0.0] * 50, seed=0) == 1.0


@pytest.mark.parametrize("n", [1, 3, 5, 10, EXACT_UP_TO])
def test_one_sided_luck_in_all_pairs_has_two_of_all_sign_patterns(n: int) -> None:
    assert permutation_p([0.2] * n, seed=0) == pytest.approx(2 / 2**n)


def test_a_hand_worked_exact_case() -> None:
    """Sums of ±1 ±2 ±3: of 8 patterns, ±6, ±4 are at least as extreme as 1 + 3 - … = 4: four in all."""
    assert permutation_p([-1.0, 2.0, 3.0], seed=0) == pytest.approx(4 / 8)


def test_wins_and_losses_in_balance_are_no_evidence() -> None:
    assert permutation_p([0.5, -0.5, 0.5, -0.5], seed=0) == 1.0


def test_many_pairs_come_near_the_sign_test() -> None:
    """With equal differences the test is the sign test: 14 wins of 20 have a two-sided binomial p of 0.1153."""
    binomial = 2 * sum(comb(20, k) for k in range(14, 21)) / 2**20
    assert binomial == pytest.approx(0.1153, abs=1e-4)
    assert permutation_p([1.0] * 14 + [-1.0] * 6, seed=5) == pytest.approx(binomial, abs=0.01)


def test_no_sample_of_patterns_proves_impossibility() -> None:
    assert permutation_p([1.0] * 100, seed=0) == pytest.approx(1 / 10_001)


def test_the_direction_does_not_matter() -> None:
    differences = [0.3, -0.1, 0.4, 0.2, 0.05]
    assert permutation_p(differences, seed=0) == permutation_p([-d for d in differences], seed=0)


def test_auc_is_the_chance_of_a_pair_in_the_right_order() -> None:
    assert auc([0.9, 0.4], [0.5, 0.1]) == 0.75
    assert auc([0.5], [0.5]) == 0.5
    assert auc([1.0], []) is None
