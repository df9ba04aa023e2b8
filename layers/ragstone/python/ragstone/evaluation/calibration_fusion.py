"""The weight of the lexical leg in fusion, chosen by nDCG with cross-validation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from ragstone.evaluation.calibration_cases import Asked, Refusion
from ragstone.evaluation.logistic import splits, stratified_folds
from ragstone.evaluation.metrics.ndcg import ndcg_at_k

WEIGHTS = tuple(step / 20 for step in range(21))
DEPTH = 10
CLEAR_GAIN = 0.001
"""What a fitted weight has to gain on questions that it was not chosen by, to take the default's place."""


class WeightChoice(NamedTuple):
    """The weight; nDCG@10 of the best one on questions that it was not chosen by; and of every one on all."""

    weight: float
    held_out: float | None
    ndcg: Mapping[float, float]


def choose_weight(asked: Sequence[Asked], refusion: Refusion, *, default: float, folds: int, seed: int) -> WeightChoice:
    """The default unless another is clearly better, then the nearest to it that is as good as the best.

    Also the default where too few questions have gold.
    """
    scored = [each for each in asked if each.answerable and each.gold]
    if len(scored) < folds:
        return WeightChoice(default, None, {})
    weights = sorted({default, *WEIGHTS})
    table = np.array([[ndcg_at_k(refusion.ranking(each, w, DEPTH), DEPTH) for w in weights] for each in scored])
    means = table.mean(axis=0)
    given = stratified_folds([True] * len(scored), folds, seed=seed)
    held_out = np.zeros(len(scored))
    for held, rest in splits(given):
        held_out[held] = table[held, int(table[rest].mean(axis=0).argmax())]
    gains = held_out.mean() - means[weights.index(default)] >= CLEAR_GAIN
    as_good = [w for w, mean in zip(weights, means, strict=True) if mean >= means.max() - CLEAR_GAIN]
    best = min(as_good, key=lambda weight: abs(weight - default)) if gains else default
    return WeightChoice(best, float(held_out.mean()), dict(zip(weights, means.tolist(), strict=True)))
