"""Asking a chat model for JSON of a form."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator

import pytest
from pydantic import BaseModel

from ragstone.errors import TransientError
from ragstone.evaluation.errors import JudgeError
from ragstone.evaluation.judge import MAX_TOKENS, Judge, judge_usage
from ragstone.types import Prompt, TextDelta, TokenUsage
from tests.support.scripted_chat import ScriptedChat
from tests.support.scripted_judge import ScriptedJudge


class Verdict(BaseModel):
    reason: str
    verdict: int


GOOD = {"reason": "it says so", "verdict": 1}
PARSED = Verdict(reason="it says so", verdict=1)


async def test_the_reply_is_of_the_form() -> None:
    model = ScriptedJudge({"Verdict": [GOOD]})
    assert await Judge(model).ask("Is it?", Verdict) == PARSED
    [prompt] = model.prompts
    assert '"required": ["reason", "verdict"]' in prompt.system
    assert (prompt.user, prompt.max_tokens) == ("Is it?", MAX_TOKENS)


@pytest.mark.parametrize(
    "reply",
    [
        '```json\n{"reason": "it says so", "verdict": 1}\n```',
        'Here you are: {"reason": "it says so", "verdict": 1} Done.',
    ],
)
async def test_words_around_the_object_are_overlooked(reply: str) -> None:
    assert await Judge(ScriptedChat([[reply]])).ask("Is it?", Verdict) == PARSED


async def test_a_reply_of_another_form_is_asked_for_again_with_what_was_wrong() -> None:
    model = ScriptedJudge({"Verdict": ['{"reason": "it says so"}', GOOD]})
    assert await Judge(model).ask("Is it?", Verdict) == PARSED
    assert model.prompts[1].user.startswith("Is it?")
    assert "Field required at ('verdict',)" in model.prompts[1].user


async def test_three_replies_of_another_form_are_an_error() -> None:
    model = ScriptedJudge({"Verdict": ["I can't say."]})
    with pytest.raises(JudgeError, match="scripted:judge gave no Verdict in 3 tries: Invalid JSON"):
        await Judge(model).ask("Is it?", Verdict)
    assert len(model.prompts) == 3


async def test_a_reply_that_was_cut_off_is_an_error_at_once() -> None:
    model = ScriptedJudge({"Verdict": ['{"reason": "it sa']}, output_tokens=MAX_TOKENS)
    with pytest.raises(JudgeError, match="cut off at 8192 tokens"):
        await Judge(model).ask("Is it?", Verdict)
    assert len(model.prompts) == 1


async def test_a_long_thought_before_a_whole_reply_is_no_cut() -> None:
    model = ScriptedJudge({"Verdict": [GOOD]}, output_tokens=2 * MAX_TOKENS)
    assert await Judge(model).ask("Is it?", Verdict) == PARSED


async def test_a_transient_failure_passes_through() -> None:
    with pytest.raises(TransientError):
        await Judge(ScriptedJudge({"Verdict": [TransientError("busy")]})).ask("Is it?", Verdict)


class SlowModel:
    """Counts how many calls run at a time."""

    spec = "slow"

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._running = 0
        self.most = 0

    async def stream(self, prompt: Prompt) -> AsyncGenerator[TextDelta | TokenUsage]:
        self._running += 1
        self.most = max(self.most, self._running)
        await asyncio.sleep(self._seconds)
        self._running -= 1
        yield TextDelta('{"reason": "it says so", "verdict": 1}')


async def test_a_late_reply_is_an_error() -> None:
    with pytest.raises(JudgeError, match=r"slow took longer than 0\.01 s"):
        await Judge(SlowModel(10), timeout_s=0.01).ask("Is it?", Verdict)


async def test_calls_at_a_time_are_capped() -> None:
    model = SlowModel(0.01)
    judge = Judge(model, concurrency=2)
    await asyncio.gather(*(judge.ask("Is it?", Verdict) for _ in range(6)))
    assert model.most == 2


async def test_waiting_for_a_turn_does_not_count_as_being_late() -> None:
    judge = Judge(SlowModel(0.03), concurrency=1, timeout_s=0.1)
    assert await asyncio.gather(*(judge.ask("Is it?", Verdict) for _ in range(6))) == [PARSED] * 6


async def test_usage_is_collected_from_tasks_started_inside() -> None:
    judge = Judge(ScriptedJudge({"Verdict": [GOOD]}))
    with judge_usage() as usage:
        await asyncio.gather(judge.ask("a", Verdict), judge.ask("b", Verdict))
    await judge.ask("c", Verdict)
    assert usage == [TokenUsage("scripted:judge", 100, 20)] * 2
