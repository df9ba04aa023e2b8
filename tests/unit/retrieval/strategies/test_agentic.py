from __future__ import annotations

from typing import Any

import pytest

from ragstone.errors import SettingsError, TransientError
from ragstone.types import Filter, FilterOp, Query, RetrievalStep
from tests.support.builders import chunk
from tests.support.retrieving import Library, texts
from tests.support.scripted_chat import ScriptedChat

FERRY, LAMP = "The night ferry costs four tallies.", "The lamp was bought by the harbour for sixty crowns."
NOISE = tuple(f"Compare the prices of {thing} before you buy." for thing in ("bread", "salt", "cloth", "wine", "tea"))
LIBRARY = Library(*(chunk(text, document_id=f"d{n}", source=f"{n}.md") for n, text in enumerate((FERRY, LAMP, *NOISE))))
QUESTION = Query("Compare the prices of both", top_k=4, strategy="agentic")
PLAN = '{"search": "What does the night ferry cost?"}\n{"search": "Who bought the lamp?"}\n'
ALLOWED: dict[str, Any] = {"strategies_allowed": ("agentic",)}


def test_each_sub_question_is_searched_and_shown() -> None:
    model = ScriptedChat([[PLAN], [""]])
    found = LIBRARY.retriever(model=model, candidate_depth=10, **ALLOWED).retrieve(QUESTION)
    assert {FERRY, LAMP} <= set(texts(found))
    assert [step.query for step in found.steps] == ["What does the night ferry cost?", "Who bought the lamp?"]
    assert {step.purpose for step in found.steps} == {"sub-question"}
    assert len(found.usage) == 2
    assert "plan" in found.timings_ms


def test_the_next_round_sees_what_was_searched_and_found() -> None:
    model = ScriptedChat([[PLAN], ['{"search": "Who sells salt?"}'], [PLAN]])
    found = LIBRARY.retriever(model=model, agentic_rounds=2, **ALLOWED).retrieve(QUESTION)
    assert [step.query for step in found.steps][-1] == "Who sells salt?"
    assert len(model.prompts) == 2
    assert "- Who bought the lamp?" in model.prompts[1].user
    assert LAMP in model.prompts[1].user


def test_a_search_is_not_made_twice() -> None:
    model = ScriptedChat([[PLAN + PLAN], [PLAN]])
    found = LIBRARY.retriever(model=model, agentic_rounds=3, **ALLOWED).retrieve(QUESTION)
    assert len(found.steps) == 2


def test_no_plan_is_made_once_the_tokens_are_used_up() -> None:
    model = ScriptedChat([[PLAN], [PLAN]])
    found = LIBRARY.retriever(model=model, agentic_rounds=3, agentic_tokens=100, **ALLOWED).retrieve(QUESTION)
    assert len(model.prompts) == 1
    assert found.degraded == ("planning ended after 100 tokens",)


def test_a_plan_of_many_searches_is_cut() -> None:
    plan = "".join(f'{{"search": "number {n}"}}\n' for n in range(20))
    found = LIBRARY.retriever(model=ScriptedChat([[plan]]), agentic_rounds=1, **ALLOWED).retrieve(QUESTION)
    assert [step.query for step in found.steps] == [f"number {n}" for n in range(4)]


@pytest.mark.parametrize("reply", ["", "I can't plan this.", '{"find": "x"}', '{"search": " "}', "[1]"])
def test_a_reply_without_a_plan_leaves_the_question_s_own_passages(reply: str) -> None:
    plain = LIBRARY.retriever().retrieve(Query(QUESTION.question, top_k=4))
    found = LIBRARY.retriever(model=ScriptedChat([[reply]]), **ALLOWED).retrieve(QUESTION)
    assert (texts(found), found.steps) == (texts(plain), ())


def test_a_model_that_fails_leaves_what_was_found() -> None:
    model = ScriptedChat([[PLAN], [TransientError("scripted: busy")]])
    found = LIBRARY.retriever(model=model, **ALLOWED).retrieve(QUESTION)
    assert {FERRY, LAMP} <= set(texts(found))
    assert found.degraded == ("not planned: scripted: busy",)


def test_filters_and_groups_hold_in_every_search() -> None:
    library = Library(chunk(FERRY, document_id="d0", source="0.md"), chunk(LAMP, document_id="d1", acl=("crew",)))
    query = Query("prices", (Filter("source", FilterOp.NE, "0.md"),), strategy="agentic")
    found = library.retriever(model=ScriptedChat([[PLAN], [""]]), **ALLOWED).retrieve(query)
    assert (found.pool, [step.found for step in found.steps]) == ((), [0, 0])
    assert found.steps[0] == RetrievalStep("sub-question", "What does the night ferry cost?", 0)


def test_it_needs_a_model() -> None:
    with pytest.raises(SettingsError, match="RAGSTONE_RETRIEVAL_MODEL"):
        LIBRARY.retriever(**ALLOWED)
