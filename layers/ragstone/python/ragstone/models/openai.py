"""OpenAI's chat completions: its own, and those of every server in the table of `ragstone.models.compatible`."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Iterator
from functools import partial
from typing import TYPE_CHECKING

from ragstone.errors import ModelRefused, TransientError
from ragstone.models.compatible import connection
from ragstone.models.dialects import BROKEN, CHAT_DIALECTS, WITHHELD
from ragstone.models.limits import CONNECT_SECONDS, Limits
from ragstone.models.openai_failures import openai_failures
from ragstone.models.per_loop import PerLoop
from ragstone.models.provider import Event, Sign
from ragstone.models.registry import chat_models
from ragstone.models.thoughts import ThoughtFilter
from ragstone.types import Prompt, TextDelta, TokenUsage

if TYPE_CHECKING:
    from openai import AsyncOpenAI
    from openai.types.chat import ChatCompletionChunk
    from openai.types.chat.chat_completion_chunk import ChoiceDelta

THOUGHTS = ("reasoning_content", "reasoning")
"""Where servers stream thoughts; OpenAI itself keeps them."""


class OpenAIProvider:
    """One model of one server; `clients` decide on the address and the key."""

    def __init__(self, clients: PerLoop[AsyncOpenAI], *, provider: str, model: str) -> None:
        self.spec = f"{provider}:{model}"
        self._clients = clients
        self._model = model
        self._dialect = CHAT_DIALECTS[provider]

    async def events(self, prompt: Prompt) -> AsyncGenerator[Event]:
        thoughts = ThoughtFilter()
        with openai_failures(self.spec):
            client = await self._clients.get()
            request = client.chat.completions.create(
                model=self._model,
                messages=[{"role": "system", "content": prompt.system}, {"role": "user", "content": prompt.user}],
                stream=True,
                stream_options={"include_usage": True},
                **self._dialect.parameters(self._model, prompt),
            )
            async with await request as chunks:
                async for chunk in chunks:
                    for event in self._read(chunk, thoughts):
                        yield event

    def _read(self, chunk: ChatCompletionChunk, thoughts: ThoughtFilter) -> Iterator[Event]:
        for choice in chunk.choices or ():  # some servers send None with the usage
            yield from self._read_delta(choice.delta, thoughts)
            if choice.finish_reason:
                self._check(choice.finish_reason)
                if held := thoughts.rest():
                    yield TextDelta(held)
                yield Sign.END
        if chunk.usage:
            yield TokenUsage(self.spec, chunk.usage.prompt_tokens, chunk.usage.completion_tokens)

    def _read_delta(self, delta: ChoiceDelta, thoughts: ThoughtFilter) -> Iterator[Event]:
        if delta.refusal:
            raise ModelRefused(f"{self.spec}: the model declined to reply")
        if any(getattr(delta, field, None) for field in THOUGHTS):
            yield Sign.THOUGHT
        if delta.content:
            shown = thoughts.text(delta.content)
            yield TextDelta(shown) if shown else Sign.THOUGHT

    def _check(self, finish_reason: str) -> None:
        """Raise for an end that is none; some servers add their own word after a colon."""
        reason = finish_reason.lower().partition(":")[0]
        if reason in WITHHELD:
            raise ModelRefused(f"{self.spec}: the provider withheld the reply ({finish_reason})")
        if reason in BROKEN:
            raise TransientError(f"{self.spec}: the provider broke off the reply ({finish_reason}); try again")


def build(provider: str, model: str, _: Limits) -> OpenAIProvider:
    """Raises SettingsError without the key and the address that the provider needs."""
    server = connection(f"{provider}:{model}")
    import httpx2
    import openai

    def make() -> AsyncOpenAI:
        timeout = httpx2.Timeout(None, connect=CONNECT_SECONDS)
        return openai.AsyncOpenAI(base_url=server.base_url, api_key=server.api_key, timeout=timeout, max_retries=0)

    return OpenAIProvider(PerLoop(make), provider=provider, model=model)


for _provider in CHAT_DIALECTS:
    chat_models.register(_provider)(partial(build, _provider))
