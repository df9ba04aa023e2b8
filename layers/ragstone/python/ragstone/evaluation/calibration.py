"""Calibrating: fusion's weight, the model of confidence and the gates' thresholds, fitted on questions of one's own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ragstone.answering.calibration import Calibration
from ragstone.answering.signals import Reading
from ragstone.evaluation.calibration_cases import Asked, Refusion
from ragstone.evaluation.calibration_fusion import WeightChoice, choose_weight
from ragstone.evaluation.calibration_model import ModelChoice, choose_model
from ragstone.evaluation.errors import InvalidEvaluation
from ragstone.evaluation.logistic import stratified_folds
from ragstone.evaluation.thresholds import Refusals, Threshold, strictest


@dataclass(frozen=True, slots=True, kw_only=True)
class Fitted:
    """The calibration, and what it was chosen among."""

    calibration: Calibration
    weights: WeightChoice
    model: ModelChoice
    by_confidence: Sequence[Threshold]
    by_coverage: Sequence[Threshold]


@dataclass(frozen=True, slots=True, kw_only=True)
class Calibrator:
    """Fits on questions retrieved with the embedder; `max_over_refusal` is what answerable questions may suffer."""

    embedder: str
    default_weight: float
    refusion: Refusion
    top_k: int
    max_over_refusal: float
    folds: int
    seed: int

    def fit(self, asked: Sequence[Asked]) -> Fitted:
        """Raises InvalidEvaluation if there are too few questions of either kind."""
        answerable = [each.answerable for each in asked]
        self._check(answerable)
        weights = choose_weight(asked, self.refusion, default=self.default_weight, folds=self.folds, seed=self.seed)
        readings = [self._reading(each, weights.weight) for each in asked]
        model = choose_model(readings, answerable, stratified_folds(answerable, self.folds, seed=self.seed))
        coverage = [max(reading.coverages) if reading else 0.0 for reading in readings]
        refusals = Refusals.of(answerable=answerable, confidence=model.confidences, coverage=coverage)
        return self._fitted(weights, model, refusals)

    def _check(self, answerable: Sequence[bool]) -> None:
        for kind, name in ((True, "true"), (False, "false")):
            if (count := answerable.count(kind)) < 2 * self.folds:
                raise InvalidEvaluation(
                    f"calibrating in {self.folds} folds needs at least {2 * self.folds} questions with "
                    f'"answerable": {name}, and there are {count}; add some, or take fewer --folds'
                )

    def _reading(self, asked: Asked, weight: float) -> Reading | None:
        evidence = self.refusion.evidence(asked, weight, self.top_k)
        return Reading(asked.question, evidence) if evidence.passages else None

    def _fitted(self, weights: WeightChoice, model: ModelChoice, refusals: Refusals) -> Fitted:
        """Confidence may use half of what answerable questions may suffer, both thresholds together all of it."""
        by_confidence = refusals.by_confidence()
        min_confidence = strictest(by_confidence, self.max_over_refusal / 2).value
        by_coverage = refusals.by_coverage(min_confidence)
        chosen = strictest(by_coverage, self.max_over_refusal)
        measured = {
            "ndcg": weights.held_out,
            "auc_plain": model.auc_plain,
            "auc_model": model.auc_model,
            "false_answer_rate": chosen.false_answers,
            "over_refusal_rate": chosen.over_refusals,
        }
        return Fitted(
            calibration=Calibration(
                embedder=self.embedder,
                lexical_weight=weights.weight,
                min_confidence=min_confidence,
                min_coverage=chosen.value,
                model=model.model,
                measured=measured,
            ),
            weights=weights,
            model=model,
            by_confidence=by_confidence,
            by_coverage=by_coverage,
        )
