from __future__ import annotations

from ragstone.answering.gates import EarlyGate
from ragstone.types import Evidence, RefusalReason, RefusalStage
from tests.support.builders import evidence, passage

GATE = EarlyGate(min_confidence=0.35, min_coverage=0.5)
FOUND = evidence(
    passage("The night ferry runs on Tuesdays only.", cosine=0.6, source="ferry.pdf"),
    passage("The trams are washed on Mondays.", cosine=0.1, source="tram.txt", ordinal=1),
)


def test_good_evidence_passes() -> None:
    assessment = GATE.assess("When does the night ferry run?", FOUND)
    assert assessment.refusal is None
    assert 0.5 < assessment.confidence <= 1


def test_no_evidence_is_refused_without_a_score() -> None:
    assessment = GATE.assess("When does the night ferry run?", Evidence(()))
    assert assessment.refusal is not None
    assert (assessment.refusal.stage, assessment.refusal.reason) == (RefusalStage.RETRIEVAL, RefusalReason.NO_EVIDENCE)
    assert assessment.confidence == 0


def test_evidence_about_something_else_is_refused_with_the_nearest_documents() -> None:
    far = evidence(passage("The trams are washed on Mondays.", cosine=0.1, source="tram.txt"))
    refusal = GATE.assess("Who invented chocolate soufflé?", far).refusal
    assert refusal is not None
    assert refusal.reason is RefusalReason.LOW_CONFIDENCE
    assert refusal.nearest == ("tram.txt",)


def test_evidence_without_the_question_s_key_word_is_insufficient() -> None:
    refusal = GATE.assess("What pension does the night ferry's cook draw?", FOUND).refusal
    assert refusal is not None
    assert (refusal.stage, refusal.reason) == (RefusalStage.SUFFICIENCY, RefusalReason.INSUFFICIENT_EVIDENCE)


def test_scores_stand_beside_their_thresholds() -> None:
    scores = GATE.assess("When does the night ferry run?", FOUND).scores
    assert (scores["min_confidence"], scores["min_coverage"]) == (0.35, 0.5)
    assert scores["coverage"] == 1
    assert scores["confidence"] == GATE.assess("When does the night ferry run?", FOUND).confidence


def test_another_confidence_decides_in_its_place() -> None:
    gate = EarlyGate(min_confidence=0.35, min_coverage=0, confidence=lambda reading: 0.2)
    refusal = gate.assess("When does the night ferry run?", FOUND).refusal
    assert refusal is not None
    assert refusal.reason is RefusalReason.LOW_CONFIDENCE
