from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragstone.analysis import MAX_QUERY_TOKENS, MAX_TOKEN, document_tokens, fold, query_tokens
from ragstone.text import normalised


@pytest.mark.parametrize(
    ("text", "language", "tokens"),
    [
        ("The lamps, the LAMP", "en", ["the", "lamp", "lamps", "the", "lamp"]),
        ("Die Fähren", "de", ["die", "fahr", "fahren"]),
        ("Sju sjömän", "sv", ["sju", "sjoman"]),
        ("max_clause_count", "sv", ["max", "clause", "count"]),
        ("v3.11.7 costs 2,50 at 14:30.", "sv", ["v3.11.7", "costs", "2,50", "at", "14:30"]),
        ("夜船", "zh", ["夜船", "夜", "船"]),
        ("猫", "zh", ["猫"]),
        ("GPT模型", "zh", ["gpt", "模型", "模", "型"]),
        ("ナイト", "ja", ["ナイ", "イト"]),
        ("서울의 학교", "ko", ["서울", "울의", "학교"]),
        ("!? …", "en", []),
    ],
)
def test_a_document_is_indexed_by_stems_words_and_pairs(text: str, language: str, tokens: list[str]) -> None:
    assert document_tokens(text, language) == tokens


def test_a_document_without_a_language_is_read_in_the_likeliest() -> None:
    assert document_tokens("Die Fahrten der Fähren sind nicht teuer", None)[1] == "fahrt"


@pytest.mark.parametrize(
    ("question", "tokens"),
    [
        ("When does the night ferry run, the NIGHT ferry?", ["night", "ferri", "ferry", "run"]),
        ("Who are you?", ["who", "are", "you"]),
        ("What is 猫?", ["猫"]),
        ("船は", ["船は", "船"]),
        ("Wie fahren Fähren?", ["fahr", "fahren"]),
        ("Ｎｉｇｈｔ", ["night"]),
        ("", []),
    ],
)
def test_a_question_asks_for_its_content_each_word_once(question: str, tokens: list[str]) -> None:
    assert query_tokens(question) == tokens


def test_accents_and_letters_with_strokes_are_folded() -> None:
    assert [fold(word) for word in ("naïve", "ørsted", "łódź", "ısparta", "œuvre")] == [
        "naive",
        "orsted",
        "lodz",
        "isparta",
        "oeuvre",
    ]


def test_questions_and_words_have_an_end() -> None:
    assert len(query_tokens(" ".join(map(str, range(2_000))))) == MAX_QUERY_TOKENS
    assert query_tokens("x" * 10_000) == ["x" * MAX_TOKEN]


@given(st.text(max_size=80), st.sampled_from(["en", "de", "ru", "ja", "xx", None]))
def test_a_text_is_found_by_its_own_words_whatever_its_language(text: str, language: str | None) -> None:
    tokens = document_tokens(normalised(text), language)
    assert all(token.split() == [token] for token in tokens)
    asked = set(query_tokens(text))
    assert not asked or not asked.isdisjoint(tokens)
