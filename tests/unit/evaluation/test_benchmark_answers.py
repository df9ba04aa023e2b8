from __future__ import annotations

import pytest

from ragstone.answering import Answering
from ragstone.answering.extractive import ExtractiveAnswerer
from ragstone.answering.gates import EarlyGate
from ragstone.evaluation.benchmark_answers import Answers, BothAnswers, holds, is_quotation, summarise_answers
from ragstone.evaluation.benchmark_files import BenchmarkQuestion
from ragstone.types import Answer, Citation, Evidence, Query, Refusal, RefusalReason, RefusalStage, Sentence
from tests.support.builders import evidence, passage
from tests.support.fake_embedder import FakeEmbedder

FERRY = evidence(passage("The night ferry runs on Tuesdays only.", cosine=0.6))
REFUSAL = Refusal(RefusalStage.RETRIEVAL, RefusalReason.LOW_CONFIDENCE, "Not about this.")


def answered(text: str, quote: str | None = None) -> Answer:
    citation = Citation(1, "a.pdf", quote or text, 0, len(quote or text), "c")
    return Answer((Sentence(text, (citation,)),), None, 0.7)


REFUSED = Answer((), REFUSAL, 0.1)


class Never:
    def retrieve(self, query: Query) -> Evidence:
        raise AssertionError("what was retrieved is given")


def answers(min_confidence: float) -> Answers:
    gate = EarlyGate(min_confidence=min_confidence, min_coverage=0.0)
    return Answers(Answering(retriever=Never(), gate=gate, answerer=ExtractiveAnswerer(FakeEmbedder())))


@pytest.mark.parametrize(
    ("text", "reference", "held"),
    [
        ("It costs “four” tallies, he said.", "four tallies", True),
        ("It costs fourteen tallies.", "four", False),
        ("Der Zürichsee ist tief.", "zurichsee", True),
        ("渡輪只在星期二運行。", "星期二", True),
    ],
)
def test_a_reference_is_held_as_whole_words(text: str, reference: str, held: bool) -> None:
    assert holds(answered(text), reference) is held


def test_a_quotation_is_its_citation_s_words_and_nothing_else() -> None:
    assert is_quotation(answered("It is white.", "It is white."))
    assert is_quotation(answered("It is white", "It is white | It is fast"))
    assert not is_quotation(answered("It is white.", "is white"))


async def test_an_answer_that_gates_let_pass_is_given_once() -> None:
    both = await answers(0.2).both("When does the night ferry run?", FERRY)
    assert both.before is both.after
    assert both.after.text == "The night ferry runs on Tuesdays only."


async def test_before_refusals_the_gates_are_open() -> None:
    both = await answers(0.99).both("When does the old night ferry run?", FERRY)
    assert both.after.refused
    assert both.before.text == "The night ferry runs on Tuesdays only."
    assert {"generate", "retrieve", "total"} & both.stages_ms.keys() == {"generate"}


def test_the_summary_counts_both_sides() -> None:
    asked = BenchmarkQuestion("q", "When?", True, ("p",), "Tuesdays")
    hopeless = BenchmarkQuestion("u", "Why?", False)
    right, wrong = answered("On Tuesdays."), answered("On Mondays.")
    found = summarise_answers(
        [
            (asked, BothAnswers(right, right)),
            (asked, BothAnswers(right, REFUSED)),
            (asked, BothAnswers(wrong, wrong)),
            (hopeless, BothAnswers(wrong, REFUSED)),
            (hopeless, BothAnswers(wrong, wrong)),
        ]
    )
    assert (found.held_before, found.held_after, found.quotations) == (2 / 3, 1 / 3, 1.0)
    assert (found.before.answered_answerable, found.before.refused_unanswerable) == (3, 0)
    assert (found.after.refused_answerable, found.after.answered_unanswerable) == (1, 1)
    assert (found.after.false_answer_rate, found.after.over_refusal_rate) == (0.5, 0.333333)
