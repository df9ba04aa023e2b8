"""The gates before an answer: refuse when the evidence is too weak, without asking any model."""

from __future__ import annotations

from dataclasses import dataclass

from ragstone.answering.signals import QuestionWeights, best_confidence
from ragstone.types import Evidence, Refusal, RefusalReason, RefusalStage

NEAREST = 3


@dataclass(frozen=True, slots=True)
class Assessment:
    """The evidence's confidence, 0 to 1, and the refusal that follows from it, if one does."""

    confidence: float
    refusal: Refusal | None


@dataclass(frozen=True, slots=True, kw_only=True)
class EarlyGate:
    """Refuses below `min_confidence`, and where no passage covers `min_coverage` of what the question asks about.

    `min_coverage` is the lexical reading for an answerer that can only quote; 0 leaves the reading to a model.
    """

    min_confidence: float
    min_coverage: float

    def assess(self, question: str, evidence: Evidence) -> Assessment:
        if not evidence.passages:
            return Assessment(0.0, refuse(RefusalStage.RETRIEVAL, RefusalReason.NO_EVIDENCE, evidence))
        weights = QuestionWeights.of(question, evidence.pool)
        score = best_confidence(evidence, weights)
        if score < self.min_confidence:
            return Assessment(score, refuse(RefusalStage.RETRIEVAL, RefusalReason.LOW_CONFIDENCE, evidence))
        covered = max(weights.coverage(passage.chunk.shown_text) for passage in evidence.passages)
        if covered < self.min_coverage:
            return Assessment(score, refuse(RefusalStage.SUFFICIENCY, RefusalReason.INSUFFICIENT_EVIDENCE, evidence))
        return Assessment(score, None)


MESSAGES = {
    RefusalReason.NO_EVIDENCE: "No document that you can read says anything about this.",
    RefusalReason.LOW_CONFIDENCE: "The documents don't seem to be about this. The nearest ones are listed.",
    RefusalReason.INSUFFICIENT_EVIDENCE: "The documents touch on this, but none of them holds the answer.",
    RefusalReason.UNCITED: "No answer could be drawn from the documents with words to show for it.",
    RefusalReason.UNSUPPORTED: "An answer was drafted, but its sources did not bear it out, so it is withheld.",
}


def refuse(stage: RefusalStage, reason: RefusalReason, evidence: Evidence) -> Refusal:
    """A refusal with its message and the nearest documents' names, never their text."""
    nearest = dict.fromkeys(passage.chunk.source for passage in evidence.passages)
    return Refusal(stage, reason, MESSAGES[reason], tuple(nearest)[:NEAREST])
