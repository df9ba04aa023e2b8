"""Claude through Anthropic's API."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from typing import TYPE_CHECKING

from ragstone.errors import ModelRefused, SettingsError
from ragstone.models.anthropic_failures import anthropic_failures
from ragstone.models.limits import CONNECT_SECONDS, Limits
from ragstone.models.per_loop import PerLoop
from ragstone.models.provider import Event, Sign
from ragstone.models.registry import chat_models
from ragstone.models.thinking import room_to_think
from ragstone.types import Prompt, TextDelta, TokenUsage

if TYPE_CHECKING:
    from anthropic import AsyncAnthropic
    from anthropic.types import Usage


class AnthropicProvider:
    """One Claude model; `clients` decide on the key. No sampling parameters: the API refuses them."""

    def __init__(self, clients: PerLoop[AsyncAnthropic], *, model: str) -> None:
        self.spec = f"anthropic:{model}"
        self._clients = clients
        self._model = model

    async def events(self, prompt: Prompt) -> AsyncGenerator[Event]:
        input_tokens = 0
        with anthropic_failures(self.spec):
            client = await self._clients.get()
            request = client.messages.create(
                model=self._model,
                max_tokens=prompt.max_tokens + room_to_think(self._model),
                system=prompt.system,
                messages=[{"role": "user", "content": prompt.user}],
                stream=True,
            )
            async with await request as events:
                async for event in events:
                    if event.type == "message_start":
                        input_tokens = _prompt_tokens(event.message.usage)
                    elif event.type == "content_block_delta":
                        yield TextDelta(event.delta.text) if event.delta.type == "text_delta" else Sign.THOUGHT
                    elif event.type == "message_delta" and event.delta.stop_reason:
                        self._check(event.delta.stop_reason)
                        yield Sign.END
                        yield TokenUsage(self.spec, input_tokens, event.usage.output_tokens)

    def _check(self, stop_reason: str) -> None:
        if stop_reason == "refusal":
            raise ModelRefused(f"{self.spec}: the provider withheld the reply ({stop_reason})")


def _prompt_tokens(usage: Usage) -> int:
    """All of a prompt's tokens: `input_tokens` leaves out what went into or came from the cache."""
    return usage.input_tokens + (usage.cache_creation_input_tokens or 0) + (usage.cache_read_input_tokens or 0)


@chat_models.register("anthropic")
def build(model: str, _: Limits) -> AnthropicProvider:
    import anthropic
    import httpx2

    def make() -> AsyncAnthropic:
        timeout = httpx2.Timeout(None, connect=CONNECT_SECONDS)
        client = anthropic.AsyncAnthropic(timeout=timeout, max_retries=0)
        if client.api_key is client.auth_token is client.credentials is None:
            raise SettingsError(f"anthropic:{model} needs ANTHROPIC_API_KEY")
        return client

    return AnthropicProvider(PerLoop(make), model=model)
