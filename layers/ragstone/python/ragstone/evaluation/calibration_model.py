"""The model of confidence: a few signals weighed by logistic regression, where that beats the plain sum."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ragstone.answering.confidence import LogisticModel, plain_sum
from ragstone.answering.signals import SIGNALS, Reading
from ragstone.evaluation.logistic import fit, out_of_fold
from ragstone.evaluation.statistics import auc

MODEL_SIGNALS: tuple[str, ...] = (
    *("match", "coverage", "sentence_coverage", "cosine"),
    *("lead", "phrases", "heading", "agreement", "negation", "length"),
)
CLEAR_GAIN = 0.002
"""Of AUC out of fold, for a fitted model to take the plain sum's place."""


class ModelChoice(NamedTuple):
    """The model, None if the plain sum is as good; each question's confidence out of fold; AUC of both."""

    model: LogisticModel | None
    confidences: list[float]
    auc_plain: float
    auc_model: float


def choose_model(readings: Sequence[Reading | None], answerable: Sequence[bool], folds: Sequence[int]) -> ModelChoice:
    """A question without evidence has no reading."""
    signals = np.array([[SIGNALS[name](r) if r else 0.0 for name in MODEL_SIGNALS] for r in readings])
    labels = np.array(answerable, dtype=float)
    plain = [plain_sum(reading) if reading else 0.0 for reading in readings]
    fitted = out_of_fold(signals, labels, folds).tolist()
    auc_plain, auc_model = _auc(plain, answerable), _auc(fitted, answerable)
    if auc_model < auc_plain + CLEAR_GAIN:
        return ModelChoice(None, plain, auc_plain, auc_model)
    intercept, weights = fit(signals, labels)
    named = dict(zip(MODEL_SIGNALS, weights.tolist(), strict=True))
    return ModelChoice(LogisticModel(intercept, named), fitted, auc_plain, auc_model)


def _auc(scores: Sequence[float], answerable: Sequence[bool]) -> float:
    kinds = [
        [score for score, kind in zip(scores, answerable, strict=True) if kind is wanted] for wanted in (True, False)
    ]
    return auc(*kinds) or 0.0
