from __future__ import annotations

from typing import Any

import pytest

from ragstone.errors import PermanentError
from ragstone.types import Query
from tests.support.builders import chunk
from tests.support.retrieving import Library, texts
from tests.support.scripted_chat import ScriptedChat

FERRY = "Die Nachtfähre kostet vier Taler."
OTHERS = ("Das Licht brennt die ganze Nacht.", "Der Hafen ist im Winter zu.", "Die Glocke läutet um zehn.")
LIBRARY = Library(*(chunk(text, document_id=f"d{n}", language="de") for n, text in enumerate((*OTHERS, FERRY))))
QUESTION = Query("What does the night boat cost?", strategy="multilingual")
ALLOWED: dict[str, Any] = {"strategies_allowed": ("multilingual",)}


def test_a_question_in_another_language_is_translated_and_searched_again() -> None:
    model = ScriptedChat([["Was kostet die Nachtfähre?\n"]])
    found = LIBRARY.retriever(model=model, **ALLOWED).retrieve(QUESTION)
    assert texts(found)[0] == FERRY
    assert found.translation == "Was kostet die Nachtfähre?"
    assert [step.purpose for step in found.steps] == ["translation to de"]
    assert [usage.input_tokens for usage in found.usage] == [100]
    assert (model.prompts[0].user, "code\nde" in model.prompts[0].system) == (QUESTION.question, True)


def test_a_question_in_the_documents_language_asks_no_model() -> None:
    model = ScriptedChat([])
    found = LIBRARY.retriever(model=model, **ALLOWED).retrieve(
        Query("Was kostet die Nachtfähre?", strategy="multilingual")
    )
    assert (texts(found)[0], found.translation, model.prompts) == (FERRY, None, [])


@pytest.mark.parametrize("question", ["夜间渡轮多少钱？", "夜行フェリーはいくらですか", "Сколько стоит ночной паром?"])
def test_questions_in_other_scripts_are_translated_too(question: str) -> None:
    model = ScriptedChat([["Was kostet die Nachtfähre?"]])
    found = LIBRARY.retriever(model=model, **ALLOWED).retrieve(Query(question, strategy="multilingual"))
    assert (texts(found)[0], len(model.prompts)) == (FERRY, 1)


@pytest.mark.parametrize("question", ["Πόσο κοστίζει το πλοίο;", "كم سعر العبارة الليلية؟", "रात की नौका का किराया?"])
def test_a_script_that_no_rule_knows_is_not_english(question: str) -> None:
    model = ScriptedChat([["What does the night ferry cost?"]])
    query = Query(question, strategy="multilingual")
    found = LIBRARY.retriever(model=model, corpus_language="en", **ALLOWED).retrieve(query)
    assert found.translation == "What does the night ferry cost?"


def test_the_settings_language_goes_before_what_was_found() -> None:
    model = ScriptedChat([])
    found = LIBRARY.retriever(model=model, corpus_language="en", **ALLOWED).retrieve(QUESTION)
    assert (found.translation, model.prompts) == (None, [])


def test_without_a_model_the_embedder_is_used_as_it_is() -> None:
    plain = LIBRARY.retriever().retrieve(Query(QUESTION.question))
    found = LIBRARY.retriever(**ALLOWED).retrieve(QUESTION)
    assert (texts(found), found.translation) == (texts(plain), None)


def test_a_model_that_fails_leaves_the_question_as_it_is() -> None:
    model = ScriptedChat([[PermanentError("scripted: no such model")]])
    found = LIBRARY.retriever(model=model, **ALLOWED).retrieve(QUESTION)
    assert found.passages
    assert found.degraded == ("not translated: scripted: no such model",)


def test_filters_and_groups_hold_for_the_translation() -> None:
    library = Library(*(chunk(text, document_id=f"d{n}", language="de") for n, text in enumerate(OTHERS)))
    library.add(chunk(FERRY, document_id="secret", language="de", acl=("crew",)))
    for groups, may in ((), False), (("crew",), True):
        model = ScriptedChat([["Was kostet die Nachtfähre?"]])
        query = Query(QUESTION.question, groups=groups, strategy="multilingual")
        found = library.retriever(model=model, **ALLOWED).retrieve(query)
        assert (FERRY in texts(found)) == may
