"""Regularised logistic regression, small enough for a handful of signals."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

Matrix = NDArray[np.float64]

PENALTY = 5.0
"""Of the squared weights of standardised signals: a prior worth about as many questions, against fitting noise."""

STEPS, CLOSE = 50, 1e-9
NO_SPREAD = 1e-9


def fit(signals: Matrix, answerable: Matrix, *, penalty: float = PENALTY) -> tuple[float, Matrix]:
    """Intercept and weights for raw signals, one row a question; iteratively reweighted least squares (Hastie 4.4.1).

    Signals are standardised while they are fitted, so that the penalty weighs them alike; one that never varies gets
    no weight.
    """
    mean, spread = signals.mean(axis=0), signals.std(axis=0)
    scale = np.where(spread > NO_SPREAD, spread, np.inf)
    design = np.column_stack([np.ones(len(signals)), (signals - mean) / scale])
    ridge = np.diag([0.0, *[penalty] * signals.shape[1]])
    fitted = np.zeros(design.shape[1])
    for _ in range(STEPS):
        chances = sigmoid(design @ fitted)
        gradient = design.T @ (chances - answerable) + ridge @ fitted
        curvature = (design.T * (chances * (1 - chances))) @ design + ridge
        step = np.linalg.solve(curvature + CLOSE * np.eye(len(fitted)), gradient)
        fitted = fitted - step
        if np.abs(step).max() < CLOSE:
            break
    weights = fitted[1:] / scale
    return float(fitted[0] - weights @ mean), weights


def out_of_fold(signals: Matrix, answerable: Matrix, folds: Sequence[int]) -> Matrix:
    """Each question's chance by the model that was fitted on the other folds."""
    chances = np.zeros(len(signals))
    for held, rest in splits(folds):
        intercept, weights = fit(signals[rest], answerable[rest])
        chances[held] = sigmoid(intercept + signals[held] @ weights)
    return chances


def stratified_folds(answerable: Sequence[bool], count: int, *, seed: int) -> list[int]:
    """A fold for each question, with both kinds spread evenly over the folds."""
    folds = np.zeros(len(answerable), dtype=int)
    draws = np.random.default_rng(seed)
    for kind in (True, False):
        places = draws.permutation(np.flatnonzero(np.asarray(answerable) == kind))
        folds[places] = np.arange(len(places)) % count
    return folds.tolist()


def splits(folds: Sequence[int]) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64]]]:
    """For each fold the places in it, and all others."""
    given = np.asarray(folds)
    for fold in sorted(set(folds)):
        yield np.flatnonzero(given == fold), np.flatnonzero(given != fold)


def sigmoid(values: Matrix) -> Matrix:
    return 1 / (1 + np.exp(-np.clip(values, -500, 500)))
