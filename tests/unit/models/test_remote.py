import asyncio
from collections.abc import AsyncGenerator, Iterable
from dataclasses import dataclass, field

import pytest

from ragstone.errors import PermanentError, TransientError
from ragstone.models import Limits
from ragstone.models.provider import Event, Sign
from ragstone.models.remote import RemoteChatModel
from ragstone.types import Prompt, TextDelta, TokenUsage

PROMPT = Prompt("system", "user")
USAGE = TokenUsage("own:model", 10, 5)
QUICK = Limits(longest_backoff_seconds=0.01)


@dataclass
class ScriptedProvider:
    """Each call plays the next attempt: events, errors to raise, and seconds to wait."""

    attempts: list[Iterable[Event | Exception | float]]
    spec: str = "own:model"
    closed: list[bool] = field(default_factory=list[bool])

    async def events(self, prompt: Prompt) -> AsyncGenerator[Event]:
        try:
            for step in self.attempts.pop(0):
                if isinstance(step, Exception):
                    raise step
                if isinstance(step, (int, float)):
                    await asyncio.sleep(step)
                else:
                    yield step
        finally:
            self.closed.append(True)


async def said(provider: ScriptedProvider, limits: Limits = QUICK) -> list[TextDelta | TokenUsage]:
    return [item async for item in RemoteChatModel(provider, limits=limits).stream(PROMPT)]


async def test_text_comes_before_the_usage_wherever_the_provider_puts_it() -> None:
    provider = ScriptedProvider([[USAGE, TextDelta("a"), Sign.END, TextDelta("b")]])
    assert await said(provider) == [TextDelta("a"), TextDelta("b"), USAGE]


async def test_an_empty_reply_is_a_reply() -> None:
    assert await said(ScriptedProvider([[Sign.END, USAGE]])) == [USAGE]


@pytest.mark.parametrize("before", [(), (USAGE,)])
async def test_a_failure_before_the_first_token_is_tried_three_times(before: tuple[Event, ...]) -> None:
    failing = [*before, TransientError("busy")]
    provider = ScriptedProvider([failing, failing, [TextDelta("a"), Sign.END, USAGE]])
    assert await said(provider) == [TextDelta("a"), USAGE]
    assert len(provider.closed) == 3


async def test_the_fourth_try_is_not_made() -> None:
    provider = ScriptedProvider([[TransientError("busy")]] * 4)
    with pytest.raises(TransientError, match="busy"):
        await said(provider)
    assert len(provider.closed) == 3


@pytest.mark.parametrize("token", [TextDelta("a"), Sign.THOUGHT])
async def test_after_the_first_token_nothing_is_tried_again(token: Event) -> None:
    provider = ScriptedProvider([[token, TransientError("busy")]])
    with pytest.raises(TransientError, match="busy"):
        await said(provider)


async def test_a_permanent_error_is_not_tried_again() -> None:
    with pytest.raises(PermanentError, match="no key"):
        await said(ScriptedProvider([[PermanentError("no key")]]))


async def test_a_missing_end_is_an_error() -> None:
    with pytest.raises(TransientError, match="own:model: the reply was cut short"):
        await said(ScriptedProvider([[TextDelta("a"), USAGE]]))


async def test_retries_end_with_the_time_for_the_first_token() -> None:
    provider = ScriptedProvider([[0.15, TransientError("busy", retry_after=0.2)]] * 3)
    with pytest.raises(TransientError, match="busy"):
        await said(provider, Limits(first_token_seconds=0.3))
    assert len(provider.closed) == 1


async def test_events_that_are_no_tokens_do_not_stop_the_clock() -> None:
    with pytest.raises(TransientError, match="no reply began"):
        await said(ScriptedProvider([[USAGE, 0.15, USAGE, 0.15, TextDelta("a")]]), Limits(first_token_seconds=0.2))


async def test_a_late_provider_is_closed() -> None:
    provider = ScriptedProvider([[9.0]])
    with pytest.raises(TransientError):
        await said(provider, Limits(first_token_seconds=0.05))
    assert provider.closed == [True]


async def test_text_that_no_encoding_holds_is_counted_too() -> None:
    *_, usage = await said(ScriptedProvider([[TextDelta("torn \ud83d"), Sign.END]]))
    assert usage == TokenUsage("own:model", 3, 2, estimated=True)


async def test_a_whole_reply_is_not_lost_because_its_usage_is_late() -> None:
    provider = ScriptedProvider([[TextDelta("a"), Sign.END, 9.0]])
    text, usage = await said(provider, Limits(between_tokens_seconds=0.05))
    assert text == TextDelta("a")
    assert usage == TokenUsage("own:model", 3, 1, estimated=True)
