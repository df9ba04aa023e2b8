"""Both sides of refusal at each threshold of the early gate."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

STEPS = tuple(step / 100 for step in range(101))


@dataclass(frozen=True, slots=True)
class Threshold:
    """What a threshold does: the share of unanswerable questions answered, and of answerable ones refused."""

    value: float
    false_answers: float
    over_refusals: float


@dataclass(frozen=True, slots=True)
class Refusals:
    """Scores of answerable and of other questions; columns are confidence and coverage. Neither is empty."""

    answerable: NDArray[np.float64]
    unanswerable: NDArray[np.float64]

    @classmethod
    def of(cls, *, answerable: Sequence[bool], confidence: Sequence[float], coverage: Sequence[float]) -> Refusals:
        scores, kinds = np.column_stack([confidence, coverage]), np.array(answerable)
        return cls(scores[kinds], scores[~kinds])

    def _at(self, min_confidence: float, min_coverage: float, *, shown: float) -> Threshold:
        """Both thresholds together; `shown` is the value that stands for them."""
        least = np.array([min_confidence, min_coverage])
        false_answers = float((self.unanswerable >= least).all(axis=1).mean())
        over_refusals = float((self.answerable < least).any(axis=1).mean())
        return Threshold(shown, false_answers, over_refusals)

    def by_confidence(self) -> list[Threshold]:
        return [self._at(value, 0.0, shown=value) for value in STEPS]

    def by_coverage(self, min_confidence: float) -> list[Threshold]:
        return [self._at(min_confidence, value, shown=value) for value in STEPS]


def strictest(thresholds: Sequence[Threshold], max_over_refusal: float) -> Threshold:
    """The highest threshold that refuses at most this share of the answerable questions."""
    return max((t for t in thresholds if t.over_refusals <= max_over_refusal), key=lambda t: t.value)
