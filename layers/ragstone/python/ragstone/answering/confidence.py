"""From signals to one figure, 0 to 1: the plain sum by default, a calibrated logistic model where there is one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import exp
from typing import Protocol

from ragstone.answering.signals import SIGNALS, Reading, match


class Confidence(Protocol):
    """How sure it is that the evidence answers the question, 0 to 1."""

    def __call__(self, reading: Reading) -> float: ...


def plain_sum(reading: Reading) -> float:
    """Carries over from corpus to corpus: nothing in it is fitted."""
    return min(match(reading), 1.0)


@dataclass(frozen=True, slots=True)
class LogisticModel:
    """The chance that a question with these signals is answerable; `weights` are by signal, for its raw values."""

    intercept: float
    weights: Mapping[str, float]

    def __call__(self, reading: Reading) -> float:
        return self.of({name: SIGNALS[name](reading) for name in self.weights})

    def of(self, signals: Mapping[str, float]) -> float:
        logit = self.intercept + sum(weight * signals[name] for name, weight in self.weights.items())
        return 1 / (1 + exp(-max(min(logit, 500.0), -500.0)))
