from __future__ import annotations

import random

import pytest

from ragstone.answering.confidence import plain_sum
from ragstone.answering.signals import Reading
from ragstone.evaluation.calibration import Calibrator
from ragstone.evaluation.calibration_cases import Asked, Refusion, SharedChunks
from ragstone.evaluation.corpus import Corpus
from ragstone.evaluation.errors import InvalidEvaluation
from ragstone.evaluation.gold import GoldEntry, GoldItem
from ragstone.evaluation.statistics import auc
from ragstone.retrieval.fusion import min_max
from ragstone.retrieval.selection import Selection
from ragstone.types import Evidence, Passage
from tests.support.builders import chunk

REFUSION = Refusion(normalise=min_max, selection=Selection())
NOISE = random.Random(5)
GOLD, OTHER = chunk("The night ferry runs on Tuesdays."), chunk("Trams are red and washed daily.", ordinal=1)


def asked(*, answerable: bool, cosine: float, gold_by: str = "both") -> Asked:
    """Two candidates; the legs named in `gold_by` have the gold first, and the other one last."""
    first = {"lexical": (1, 2), "dense": (2, 1), "both": (1, 1)}[gold_by]
    pool = tuple(
        Passage(found, 0.0, bm25=10.0 / lexical, cosine=cosine / dense, lexical_rank=lexical, dense_rank=dense)
        for found, lexical, dense in ((GOLD, *first), (OTHER, 3 - first[0], 3 - first[1]))
    )
    satisfied = {GOLD.chunk_id: frozenset({0})} if answerable else {}
    question = "When does the night ferry run?"
    return Asked(
        question=question,
        answerable=answerable,
        evidence=Evidence(pool, pool),
        gold=int(answerable),
        satisfied=satisfied,
    )


def calibrator(**changes: float) -> Calibrator:
    return Calibrator(
        embedder="fake",
        default_weight=changes.get("default_weight", 0.7),
        refusion=REFUSION,
        top_k=2,
        max_over_refusal=changes.get("max_over_refusal", 0.1),
        folds=5,
        seed=0,
    )


ASKED = [asked(answerable=True, cosine=NOISE.gauss(0.6, 0.1)) for _ in range(60)] + [
    asked(answerable=False, cosine=NOISE.gauss(0.35, 0.1)) for _ in range(60)
]


def test_the_weight_goes_to_the_leg_that_knows() -> None:
    dense_knows = [*ASKED[60:], *(asked(answerable=True, cosine=0.6, gold_by="dense") for _ in range(40))]
    lexical_knows = [*ASKED[60:], *(asked(answerable=True, cosine=0.6, gold_by="lexical") for _ in range(40))]
    assert calibrator(default_weight=0.7).fit(dense_knows).calibration.lexical_weight == 0.65
    assert calibrator(default_weight=0.3).fit(lexical_knows).calibration.lexical_weight == 0.7


def test_the_default_weight_stays_where_none_is_better() -> None:
    fitted = calibrator(default_weight=0.7).fit(ASKED)
    assert fitted.calibration.lexical_weight == 0.7
    assert fitted.weights.held_out == 1.0


def test_thresholds_keep_within_what_answerable_questions_may_suffer() -> None:
    fitted = calibrator(max_over_refusal=0.2).fit(ASKED)
    measured = fitted.calibration.measured
    assert 0 < (measured["over_refusal_rate"] or 0) <= 0.2
    assert (measured["false_answer_rate"] or 1) < 0.2
    chosen = next(t for t in fitted.by_confidence if t.value == fitted.calibration.min_confidence)
    assert chosen.over_refusals <= 0.1


def test_a_model_that_is_no_better_leaves_the_plain_sum() -> None:
    fitted = calibrator().fit(ASKED)
    readings = [Reading(each.question, REFUSION.evidence(each, 0.7, 2)) for each in ASKED]
    plain = [plain_sum(reading) for reading in readings]
    assert fitted.model.auc_plain == auc(plain[:60], plain[60:])
    assert fitted.calibration.model is None
    assert fitted.model.confidences == pytest.approx(plain)


def test_a_model_learns_what_the_sum_cannot_know() -> None:
    backwards = [asked(answerable=each.answerable, cosine=0.95 - (each.evidence.pool[0].cosine or 0)) for each in ASKED]
    fitted = calibrator().fit(backwards)
    assert fitted.model.auc_plain < 0.2 < 0.8 < fitted.model.auc_model
    assert fitted.calibration.model is not None
    assert fitted.calibration.model.weights["cosine"] < 0


@pytest.mark.parametrize(("kept", "missing"), [(ASKED[:65], "false"), (ASKED[55:], "true")])
def test_too_few_questions_of_a_kind_are_refused(kept: list[Asked], missing: str) -> None:
    with pytest.raises(InvalidEvaluation, match=f'at least 10 questions with "answerable": {missing}, and there are 5'):
        calibrator().fit(kept)


def test_a_question_without_evidence_has_no_confidence() -> None:
    nothing = Asked(question="?", answerable=False, evidence=Evidence(()), gold=0, satisfied={})
    assert calibrator().fit([*ASKED, nothing]).model.confidences[-1] < 0.1


def test_gold_items_are_satisfied_by_chunks_that_hold_their_quotes() -> None:
    item = GoldItem("a", "When?", gold=(GoldEntry("handbook.pdf", quote="on Tuesdays"), GoldEntry("other.pdf")))
    made = Asked.of_item(item, ASKED[0].evidence, Corpus("bucket"))
    assert (made.gold, made.satisfied) == (2, {GOLD.chunk_id: frozenset({0}), OTHER.chunk_id: frozenset()})


def test_questions_share_the_chunks_that_they_have_in_common() -> None:
    shared = SharedChunks()
    one, other = (shared.of(Evidence((), (Passage(chunk("The night ferry."), 1.0),))) for _ in range(2))
    assert one.pool[0].chunk is other.pool[0].chunk
