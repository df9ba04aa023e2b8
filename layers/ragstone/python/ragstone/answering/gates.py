"""Stage 6, the early gate: refuse when the evidence is too weak, without asking any model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ragstone.answering.confidence import Confidence, plain_sum
from ragstone.answering.refusals import refuse
from ragstone.answering.signals import Reading
from ragstone.types import Evidence, Refusal, RefusalReason, RefusalStage


@dataclass(frozen=True, slots=True)
class Assessment:
    """The evidence's confidence, 0 to 1, and the refusal that follows from it, if one does.

    `scores` are what was compared, by name: each score beside its threshold, `min_…`.
    """

    confidence: float
    refusal: Refusal | None
    scores: Mapping[str, float] = field(default_factory=dict[str, float])


@dataclass(frozen=True, slots=True, kw_only=True)
class EarlyGate:
    """Refuses below `min_confidence`, and where no passage covers `min_coverage` of what the question asks about.

    `min_coverage` is the lexical reading for an answerer that can only quote; 0 leaves the reading to a model.
    """

    min_confidence: float
    min_coverage: float
    confidence: Confidence = plain_sum

    def assess(self, question: str, evidence: Evidence) -> Assessment:
        if not evidence.passages:
            return Assessment(0.0, refuse(RefusalStage.RETRIEVAL, RefusalReason.NO_EVIDENCE, evidence))
        reading = Reading(question, evidence)
        score, covered = self.confidence(reading), max(reading.coverages)
        scores = {
            "confidence": score,
            "min_confidence": self.min_confidence,
            "coverage": covered,
            "min_coverage": self.min_coverage,
        }
        return Assessment(score, self._refusal(score, covered, evidence), scores)

    def _refusal(self, score: float, covered: float, evidence: Evidence) -> Refusal | None:
        if score < self.min_confidence:
            return refuse(RefusalStage.RETRIEVAL, RefusalReason.LOW_CONFIDENCE, evidence)
        if covered < self.min_coverage:
            return refuse(RefusalStage.SUFFICIENCY, RefusalReason.INSUFFICIENT_EVIDENCE, evidence)
        return None
