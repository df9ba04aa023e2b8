"""Claude through Anthropic's API."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from typing import TYPE_CHECKING

from ragstone.errors import SettingsError
from ragstone.models.anthropic_failures import anthropic_failures
from ragstone.models.failures import check_end
from ragstone.models.limits import CONNECT_SECONDS, READ_SECONDS, RETRIES, THINKING_TOKENS
from ragstone.models.per_loop import PerLoop
from ragstone.models.registry import chat_models
from ragstone.types import Prompt, TextDelta, TokenUsage

if TYPE_CHECKING:
    from anthropic import AsyncAnthropic
    from anthropic.types import Usage

BLOCKED = frozenset({"refusal"})


class AnthropicChatModel:
    """Streams one user message's reply; `clients` decide on the key. No sampling parameters: the API refuses them."""

    def __init__(self, clients: PerLoop[AsyncAnthropic], *, model: str) -> None:
        self.spec = f"anthropic:{model}"
        self._clients = clients
        self._model = model

    async def stream(self, prompt: Prompt) -> AsyncGenerator[TextDelta | TokenUsage]:
        input_tokens = output_tokens = 0
        stop = None
        with anthropic_failures(self.spec):
            client = await self._clients.get()
            request = client.messages.create(
                model=self._model,
                max_tokens=prompt.max_tokens + THINKING_TOKENS,
                system=prompt.system,
                messages=[{"role": "user", "content": prompt.user}],
                stream=True,
            )
            async with await request as events:
                async for event in events:
                    if event.type == "message_start":
                        input_tokens = _prompt_tokens(event.message.usage)
                    elif event.type == "content_block_delta" and event.delta.type == "text_delta":
                        yield TextDelta(event.delta.text)
                    elif event.type == "message_delta":
                        stop = event.delta.stop_reason or stop
                        output_tokens = event.usage.output_tokens
        check_end(self.spec, stop, blocked=BLOCKED)
        yield TokenUsage(self.spec, input_tokens, output_tokens)


def _prompt_tokens(usage: Usage) -> int:
    """All of a prompt's tokens: `input_tokens` leaves out what went into or came from the cache."""
    return usage.input_tokens + (usage.cache_creation_input_tokens or 0) + (usage.cache_read_input_tokens or 0)


@chat_models.register("anthropic")
def build(model: str) -> AnthropicChatModel:
    import anthropic
    import httpx2

    def make() -> AsyncAnthropic:
        timeout = httpx2.Timeout(READ_SECONDS, connect=CONNECT_SECONDS)
        client = anthropic.AsyncAnthropic(timeout=timeout, max_retries=RETRIES)
        if client.api_key is client.auth_token is client.credentials is None:
            raise SettingsError(f"anthropic:{model} needs ANTHROPIC_API_KEY")
        return client

    return AnthropicChatModel(PerLoop(make), model=model)
