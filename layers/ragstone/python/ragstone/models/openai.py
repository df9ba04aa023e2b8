"""OpenAI's chat completions, and those of every server with the same API (`OPENAI_BASE_URL`)."""

from __future__ import annotations

import re
from collections.abc import AsyncGenerator
from typing import TYPE_CHECKING, Any

from ragstone.models.failures import check_end
from ragstone.models.limits import CONNECT_SECONDS, READ_SECONDS, RETRIES, THINKING_TOKENS
from ragstone.models.openai_failures import openai_failures, openai_settings
from ragstone.models.per_loop import PerLoop
from ragstone.models.registry import chat_models
from ragstone.types import Prompt, TextDelta, TokenUsage

if TYPE_CHECKING:
    from openai import AsyncOpenAI

# o1 to o4, GPT-5 and later, on other servers under a path: they take neither `max_tokens` nor a temperature.
REASONING = re.compile(r"(.*/)?(o\d|gpt-[5-9])")
BLOCKED = frozenset({"content_filter"})


class OpenAIChatModel:
    """Streams one user message's reply; `clients` decide on the server and the key."""

    def __init__(self, clients: PerLoop[AsyncOpenAI], *, model: str) -> None:
        self.spec = f"openai:{model}"
        self._clients = clients
        self._model = model

    async def stream(self, prompt: Prompt) -> AsyncGenerator[TextDelta | TokenUsage]:
        usage = finish = None
        with openai_failures(self.spec):
            client = await self._clients.get()
            request = client.chat.completions.create(
                model=self._model,
                messages=[{"role": "system", "content": prompt.system}, {"role": "user", "content": prompt.user}],
                stream=True,
                stream_options={"include_usage": True},
                **self._limits(prompt),
            )
            async with await request as events:
                async for event in events:
                    usage = event.usage or usage
                    for choice in event.choices or ():  # some servers send None with the usage
                        finish = choice.finish_reason or finish
                        if choice.delta.content:
                            yield TextDelta(choice.delta.content)
        check_end(self.spec, finish, blocked=BLOCKED)
        # Some servers count no tokens: zeros say so.
        yield TokenUsage(self.spec, usage.prompt_tokens, usage.completion_tokens) if usage else TokenUsage(self.spec)

    def _limits(self, prompt: Prompt) -> dict[str, Any]:
        if REASONING.match(self._model):
            return {"max_completion_tokens": prompt.max_tokens + THINKING_TOKENS}
        return {"max_tokens": prompt.max_tokens, "temperature": 0}


@chat_models.register("openai")
def build(model: str) -> OpenAIChatModel:
    import httpx2
    import openai

    def make() -> AsyncOpenAI:
        timeout = httpx2.Timeout(READ_SECONDS, connect=CONNECT_SECONDS)
        return openai.AsyncOpenAI(timeout=timeout, max_retries=RETRIES)

    with openai_settings(f"openai:{model}"):
        return OpenAIChatModel(PerLoop(make), model=model)
