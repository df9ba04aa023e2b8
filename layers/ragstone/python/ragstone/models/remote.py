"""A chat model behind a provider's API: time-outs, retries and usage, alike for all of them."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import replace
from itertools import count

from ragstone.errors import TransientError
from ragstone.models.estimates import estimated_usage
from ragstone.models.limits import Limits
from ragstone.models.provider import Event, Provider, Sign
from ragstone.text import encodable
from ragstone.types import Prompt, TextDelta, TokenUsage


class RemoteChatModel:
    """Streams a provider's reply; what fails before the first token is tried again while `limits` allow it."""

    def __init__(self, provider: Provider, *, limits: Limits) -> None:
        self.spec = provider.spec
        self._provider = provider
        self._limits = limits

    async def stream(self, prompt: Prompt) -> AsyncGenerator[TextDelta | TokenUsage]:
        prompt = replace(prompt, system=encodable(prompt.system), user=encodable(prompt.user))
        usage, text = TokenUsage(self.spec), ""
        async with aclosing(self._retried(prompt)) as events:
            async for event in events:
                if isinstance(event, TextDelta):
                    text += event.text
                    yield event
                elif isinstance(event, TokenUsage):
                    usage = event
        # Some servers report nothing, some report zeros.
        yield usage if usage.input_tokens else estimated_usage(self.spec, prompt, text)

    async def _retried(self, prompt: Prompt) -> AsyncGenerator[Event]:
        clock = asyncio.get_running_loop().time
        deadline = clock() + self._limits.first_token_seconds
        for attempt in count(1):
            begun = False
            try:
                async with aclosing(self._in_time(prompt, deadline)) as events:
                    async for event in events:
                        begun = begun or _is_token(event)
                        yield event
                return
            except TransientError as error:
                wait = self._wait(attempt, error)
                if begun or attempt == self._limits.attempts or clock() + wait >= deadline:
                    raise
            await asyncio.sleep(wait)

    def _wait(self, attempt: int, error: TransientError) -> float:
        if error.retry_after is not None:
            return error.retry_after
        return self._limits.backoff(attempt) * random.uniform(0.5, 1)  # noqa: S311 - jitter needs no secrecy

    async def _in_time(self, prompt: Prompt, deadline: float) -> AsyncGenerator[Event]:
        """The events of one attempt until its end; raises TransientError if one is late, or if the end is missing."""
        clock = asyncio.get_running_loop().time
        begun = ended = False
        async with aclosing(self._provider.events(prompt)) as events:
            while True:
                try:
                    async with asyncio.timeout_at(deadline):
                        event = await anext(events, None)
                except TimeoutError as error:
                    if ended:  # only the usage is missing
                        return
                    raise TransientError(self._late(begun)) from error
                if event is None:
                    break
                ended = ended or event is Sign.END
                begun = begun or _is_token(event)
                yield event
                if begun:
                    deadline = clock() + self._limits.between_tokens_seconds
        if not ended:
            raise TransientError(f"{self.spec}: the reply was cut short; try again")

    def _late(self, begun: bool) -> str:
        if begun:
            limit = f"{self._limits.between_tokens_seconds:g} s; RAGSTONE_BETWEEN_TOKENS_SECONDS"
            return f"{self.spec}: the reply did not go on within {limit} sets the limit"
        limit = f"{self._limits.first_token_seconds:g} s; RAGSTONE_FIRST_TOKEN_SECONDS"
        return f"{self.spec}: no reply began within {limit} sets the limit"


def _is_token(event: Event) -> bool:
    return isinstance(event, TextDelta) or event is Sign.THOUGHT
