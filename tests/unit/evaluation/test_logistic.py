from __future__ import annotations

import numpy as np
import pytest

from ragstone.evaluation.logistic import fit, out_of_fold, sigmoid, splits, stratified_folds
from ragstone.evaluation.statistics import auc

DRAWS = np.random.default_rng(3)
SIGNALS = DRAWS.normal(size=(4_000, 2))
LABELS = (DRAWS.random(4_000) < sigmoid(0.5 + SIGNALS @ np.array([2.0, -1.0]))).astype(float)


def test_weights_that_made_the_labels_are_found() -> None:
    intercept, weights = fit(SIGNALS, LABELS, penalty=0.0)
    assert [intercept, *weights] == pytest.approx([0.5, 2.0, -1.0], abs=0.15)


def test_a_penalty_shrinks_weights() -> None:
    _, free = fit(SIGNALS[:40], LABELS[:40], penalty=0.1)
    _, held = fit(SIGNALS[:40], LABELS[:40], penalty=50.0)
    assert np.abs(held).sum() < np.abs(free).sum() / 2


def test_the_scale_of_a_signal_does_not_matter() -> None:
    intercept, weights = fit(SIGNALS, LABELS)
    scaled_intercept, scaled = fit(SIGNALS * 100 + 7, LABELS)
    assert sigmoid(scaled_intercept + (SIGNALS * 100 + 7) @ scaled) == pytest.approx(
        sigmoid(intercept + SIGNALS @ weights)
    )


def test_separable_classes_and_constant_signals_have_finite_weights() -> None:
    signals = np.column_stack([np.r_[np.zeros(10), np.ones(10)], np.full(20, 3.0)])
    intercept, weights = fit(signals, np.r_[np.zeros(10), np.ones(10)])
    assert np.isfinite([intercept, *weights]).all()
    assert weights[1] == 0


def test_a_question_is_judged_by_what_was_fitted_on_others() -> None:
    noise, labels = DRAWS.normal(size=(60, 20)), np.r_[np.zeros(30), np.ones(30)]
    intercept, weights = fit(noise, labels)
    seen = (intercept + noise @ weights).tolist()
    unseen = out_of_fold(noise, labels, stratified_folds([False] * 30 + [True] * 30, 5, seed=0)).tolist()
    assert (auc(seen[30:], seen[:30]) or 0) > 0.75
    assert (auc(unseen[30:], unseen[:30]) or 1) < 0.7


def test_folds_hold_as_much_of_each_kind() -> None:
    kinds = [True] * 20 + [False] * 10
    folds = stratified_folds(kinds, 5, seed=1)
    assert [folds[:20].count(n) for n in range(5)] == [4] * 5
    assert [folds[20:].count(n) for n in range(5)] == [2] * 5
    assert folds == stratified_folds(kinds, 5, seed=1) != stratified_folds(kinds, 5, seed=2)
    assert sorted(place for held, _ in splits(folds) for place in held) == list(range(30))
