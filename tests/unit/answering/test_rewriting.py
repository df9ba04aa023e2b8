from __future__ import annotations

import pytest

from ragstone.answering.events import AskedBack, Finished
from ragstone.answering.rewriting import Rewriting
from ragstone.errors import TransientError
from ragstone.types import Query, Turn
from tests.support.finder import Finder
from tests.support.scripted_chat import ScriptedChat
from tests.unit.answering.runs import FOUND, TRUE, answering, events, run_of

TURN = Turn("When does the night ferry to Saltholm run?", "On Tuesdays.")
GERMAN = Turn("Wann fährt die Nachtfähre nach Saltholm?", "Dienstags.")


async def rewritten(question: str, *turns: Turn, model: ScriptedChat | None = None) -> str:
    run = run_of(Query(question, conversation_id="c", history=turns))
    await Rewriting(model=model).run(run)
    return run.query.question


@pytest.mark.parametrize(
    ("question", "turn", "expected"),
    [
        ("What does it cost?", TURN, "What does it cost? (night ferry saltholm run)"),
        ("And on Sundays?", TURN, "And on Sundays? (night ferry saltholm run)"),
        ("Was kostet sie?", GERMAN, "Was kostet sie? (fahrt nachtfahre saltholm)"),
        ("Who was the first captain of the day ferry?", TURN, "Who was the first captain of the day ferry?"),
        ("Wann öffnet das Museum?", GERMAN, "Wann öffnet das Museum?"),
        ("Can they say when that day ferry to Port Vell leaves?", TURN, None),
    ],
)
async def test_without_a_model_a_follow_up_carries_the_last_question_s_words(
    question: str, turn: Turn, expected: str | None
) -> None:
    assert await rewritten(question, turn) == (expected or question)


async def test_a_model_rewrites_from_the_fenced_conversation() -> None:
    model = ScriptedChat([['{"question": "What does the night ferry to Saltholm cost?"}']])
    assert await rewritten("What does it cost?", TURN, model=model) == "What does the night ferry to Saltholm cost?"
    [prompt] = model.prompts
    marker = prompt.user.split()[0]
    assert prompt.user.count(marker) == 4
    assert marker in prompt.system


async def test_the_rewritten_question_is_what_is_searched() -> None:
    finder = Finder(FOUND)
    asked = Query("What does it cost?", conversation_id="c", history=(TURN,))
    await answering([[TRUE]], retriever=finder).answer(asked)
    assert finder.asked[0].question == "What does it cost? (night ferry saltholm run)"


async def test_a_model_that_can_t_tell_asks_back_and_nothing_is_searched() -> None:
    finder, model = Finder(FOUND), ScriptedChat([['{"ask": "Which ferry do you mean?"}']])
    asked = Query("And that one?", conversation_id="c", history=(TURN,))
    found = await events(answering(retriever=finder, rewriting=Rewriting(model=model)).stream(asked))
    finished = found[-1]
    assert AskedBack("Which ferry do you mean?") in found
    assert isinstance(finished, Finished)
    assert finished.answer.clarification == "Which ferry do you mean?"
    assert (finished.answer.refused, finished.answer.text, finder.asked) == (False, "", [])


async def test_a_question_about_nothing_that_was_said_is_asked_back_in_its_language() -> None:
    run = run_of(Query("Und was ist das?", conversation_id="c"))
    await Rewriting().run(run)
    assert run.clarification is not None
    assert run.clarification.startswith("Worauf bezieht sich")


@pytest.mark.parametrize("reply", ["", "{}", "I can't.", '{"question": 7}'])
async def test_a_model_that_says_nothing_usable_leaves_the_question(reply: str) -> None:
    assert await rewritten("What does it cost?", TURN, model=ScriptedChat([[reply]])) == "What does it cost?"


async def test_a_model_that_fails_is_made_up_for_and_named() -> None:
    run = run_of(Query("What does it cost?", conversation_id="c", history=(TURN,)))
    await Rewriting(model=ScriptedChat([[TransientError("throttled")]])).run(run)
    assert run.query.question == "What does it cost? (night ferry saltholm run)"
    assert run.degraded == ["no model rewrote the question: throttled"]
