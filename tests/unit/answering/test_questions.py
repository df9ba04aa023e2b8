from __future__ import annotations

import re

import pytest

from ragstone.answering.questions import QuestionCheck
from ragstone.errors import InvalidQuery
from ragstone.types import Query, RefusalReason, RefusalStage
from tests.support.scripted_chat import ScriptedChat
from tests.unit.answering.runs import run_of


@pytest.mark.parametrize(
    ("asked", "question"),
    [
        ("  When does\tit\nrun? ", "When does it run?"),
        ("When\x00 does\x1b it\u202e run?\u200b", "When does it run?"),
        ("夜の渡し船は？", "夜の渡し船は？"),
    ],
)
async def test_control_and_invisible_characters_are_taken_out(asked: str, question: str) -> None:
    run = run_of(Query(asked))
    await QuestionCheck().run(run)
    assert run.query.question == question
    assert run.refusal is None


@pytest.mark.parametrize("asked", ["", "  \n", "?!", "\u200b\u202e", "\x00"])
async def test_a_question_without_a_word_is_the_asker_s_error(asked: str) -> None:
    with pytest.raises(InvalidQuery, match="write what you want to know") as caught:
        await QuestionCheck().run(run_of(Query(asked)))
    assert caught.value.code == "empty_question"


async def test_a_question_that_is_too_long_says_how_long_it_may_be() -> None:
    with pytest.raises(InvalidQuery, match="has 21 characters; at most 20") as caught:
        await QuestionCheck(max_characters=20).run(run_of(Query("x" * 21)))
    assert caught.value.code == "question_too_long"


@pytest.mark.parametrize(("asked", "is_blocked"), [("Who earns what?", False), ("What is Ann's SALARY?", True)])
async def test_a_pattern_blocks_a_question(asked: str, is_blocked: bool) -> None:
    run = run_of(Query(asked))
    await QuestionCheck(blocked=(re.compile("salary", re.IGNORECASE),)).run(run)
    assert (run.refusal is not None) == is_blocked
    if run.refusal:
        assert (run.refusal.stage, run.refusal.reason) == (RefusalStage.POLICY, RefusalReason.BLOCKED)


@pytest.mark.parametrize(
    ("reply", "is_blocked"),
    [('{"allowed": true}', False), ('Sure: {"allowed": true}.', False), ('{"allowed": false}', True), ("Hm.", True)],
)
async def test_only_a_moderator_s_clear_yes_lets_a_question_through(reply: str, is_blocked: bool) -> None:
    moderator = ScriptedChat([[reply]])
    run = run_of(Query("How do I board?"))
    await QuestionCheck(moderator=moderator).run(run)
    assert (run.refusal is not None) == is_blocked
    assert "How do I board?" in moderator.prompts[0].user
    assert [usage.model for usage in run.usage] == ["scripted"]
