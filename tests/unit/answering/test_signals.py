from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragstone.answering.signals import SIGNALS, QuestionWeights, Reading
from ragstone.types import Evidence
from tests.support.builders import evidence, passage

FERRY = passage("The night ferry runs on Tuesdays only. Tea is free.", cosine=0.6, title="Crossings")
TRAM = passage("The trams are washed on Mondays.", cosine=0.2, source="tram.txt", ordinal=1)
FOUND = evidence(FERRY, TRAM)


def read(name: str, question: str, found: Evidence = FOUND) -> float:
    return SIGNALS[name](Reading(question, found))


def asked(question: str) -> set[str]:
    """The stems of the question's words that count."""
    return {term[0] for term in QuestionWeights.of(question, FOUND.pool).weights}


def test_a_word_that_no_candidate_holds_weighs_most() -> None:
    weights = QuestionWeights.of("pension ferry tuesdays", FOUND.pool).weights
    assert max(weights, key=lambda term: weights[term])[0] == "pension"


def test_function_words_weigh_nothing_in_any_language() -> None:
    assert asked("Wie viele Minuten vor der Abfahrt schließt die Schranke?") == {
        "minut",
        "abfahrt",
        "schliesst",
        "schrank",
    }
    assert asked("How many minutes before departure does it close?") == {"minut", "departur", "close"}


def test_a_question_of_function_words_keeps_them() -> None:
    assert asked("Who are you?") == {"who", "are", "you"}


def test_an_inflected_word_is_covered() -> None:
    assert read("coverage", "Which ferries are running at night?") == 1


@pytest.mark.parametrize(
    ("question", "text"),
    [("夜間渡輪何時運行", "夜間渡輪只在星期二運行"), ("야간 페리는 언제", "야간 페리는 화요일에만")],
)
def test_words_without_spaces_are_covered_in_part(question: str, text: str) -> None:
    assert 0.2 < read("coverage", question, evidence(passage(text), TRAM)) < 1


def test_a_sentence_covers_less_than_its_passage() -> None:
    assert read("coverage", "Is tea free on the ferry?") == 1
    assert 0 < read("sentence_coverage", "Is tea free on the ferry?") < 1


def test_the_sum_is_that_of_the_best_passage() -> None:
    assert read("match", "night ferry") == pytest.approx((1 + 2 * 0.6) / 3)


def test_evidence_without_cosines_is_judged_by_its_words() -> None:
    found = evidence(replace(FERRY, cosine=None), replace(TRAM, cosine=None))
    assert read("match", "night ferry", found) == 1
    assert read("cosine", "night ferry", found) == 0


def test_the_fused_score_has_no_part_in_any_signal() -> None:
    other = evidence(*(replace(each, fused_score=each.fused_score / 7, rerank_score=3.0) for each in FOUND.passages))
    for name in SIGNALS:
        assert read(name, "night ferry pension", other) == read(name, "night ferry pension")


def test_a_question_is_read_as_it_was_searched() -> None:
    translated = replace(FOUND, translation="When does the night ferry run?")
    assert read("coverage", "Wann fährt die Nachtfähre?", translated) == 1
    assert read("coverage", "Wann fährt die Nachtfähre?") == 0


def test_unseen_words_are_those_of_no_candidate() -> None:
    assert read("unseen", "night ferry pension") == pytest.approx(1 / 3)


def test_a_heading_covers_the_subject_only() -> None:
    assert 0 < read("heading", "crossings on tuesdays") < 1


def test_margin_and_agreement_are_of_the_leaders() -> None:
    assert read("margin", "ferry") == pytest.approx(0.4)
    assert read("agreement", "ferry") == 0
    assert read("agreement", "ferry", evidence(replace(FERRY, lexical_rank=1, dense_rank=1))) == 1


def test_lead_is_over_the_passage_that_covers_second_most() -> None:
    twin = passage("The night ferry is new.", source="twin.txt", ordinal=2)
    assert read("lead", "night ferry") == 1
    assert read("lead", "night ferry", evidence(FERRY, TRAM, twin)) == 0
    assert read("lead", "night ferry", evidence(FERRY)) == 1


def test_phrases_are_neighbouring_words_side_by_side_in_one_passage() -> None:
    assert read("phrases", "When does the night ferry run?") == 1
    assert read("phrases", "Which ferries at night?") == 0
    assert read("phrases", "night ferry on mondays") == pytest.approx(1 / 2)
    assert read("phrases", "ferry") == 0


def test_headings_hold_no_phrases() -> None:
    assert read("phrases", "night ferry", evidence(passage("It runs on Tuesdays.", title="Night ferry"))) == 0


def test_a_question_that_says_no_wants_a_sentence_that_does() -> None:
    assert read("negation", "When does the night ferry not run?") == 1
    assert read("negation", "When does the night ferry run?") == 0
    assert read("negation", "When does it not run?", evidence(passage("It does not run on Mondays."))) == 0


def test_length_counts_what_is_asked_for() -> None:
    assert read("length", "When does the night ferry run?") == pytest.approx(3 / 20)
    assert read("length", " ".join(f"word{n}" for n in range(50))) == 1


@given(st.text(max_size=60), st.text(max_size=80), st.one_of(st.none(), st.floats(-1, 1)))
def test_every_signal_of_any_text_is_a_share(question: str, text: str, cosine: float | None) -> None:
    found = evidence(replace(passage(text, cosine=cosine), bm25=None))
    for name, signal in SIGNALS.items():
        assert 0 <= signal(Reading(question, found)) <= 1 + 1e-9, name
