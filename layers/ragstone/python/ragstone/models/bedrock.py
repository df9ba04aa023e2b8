"""Chat models on Amazon Bedrock through its Converse API."""

from __future__ import annotations

import re
from collections.abc import AsyncGenerator, Generator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import aclosing, closing
from typing import TYPE_CHECKING, Any

from ragstone.models.bedrock_failures import bedrock_failures
from ragstone.models.blocking import pulled
from ragstone.models.failures import check_end
from ragstone.models.limits import READ_SECONDS, THINKING_TOKENS
from ragstone.models.registry import chat_models
from ragstone.types import Prompt, TextDelta, TokenUsage

if TYPE_CHECKING:
    from mypy_boto3_bedrock_runtime import BedrockRuntimeClient

STREAMS = 32  # streams at a time; each holds a connection, and a thread while it waits
# Claude from version 4 on, and GPT: models that think before they reply.
REASONING = re.compile(r"claude-[a-z]|gpt-")
BLOCKED = frozenset({"content_filtered", "guardrail_intervened"})


class BedrockChatModel:
    """Streams one user message's reply; `client` decides on region and credentials, and blocks: threads wait for it."""

    def __init__(self, client: BedrockRuntimeClient, *, model: str) -> None:
        self.spec = f"bedrock:{model}"
        self._client = client
        self._model = model
        self._threads = ThreadPoolExecutor(STREAMS, thread_name_prefix="bedrock")

    async def stream(self, prompt: Prompt) -> AsyncGenerator[TextDelta | TokenUsage]:
        usage, stop = TokenUsage(self.spec), None
        with bedrock_failures(self.spec):
            async with aclosing(pulled(self._events(prompt), self._threads)) as events:
                async for event in events:
                    if text := event.get("contentBlockDelta", {}).get("delta", {}).get("text"):
                        yield TextDelta(text)
                    elif "messageStop" in event:
                        stop = event["messageStop"]["stopReason"]
                    elif "metadata" in event:
                        counted = event["metadata"]["usage"]
                        usage = TokenUsage(self.spec, counted["inputTokens"], counted["outputTokens"])
        check_end(self.spec, stop, blocked=BLOCKED)
        yield usage

    def _events(self, prompt: Prompt) -> Generator[Mapping[str, Any]]:
        reply = self._client.converse_stream(
            modelId=self._model,
            system=[{"text": prompt.system}],
            messages=[{"role": "user", "content": [{"text": prompt.user}]}],
            inferenceConfig={"maxTokens": self._max_tokens(prompt)},
        )
        with closing(reply["stream"]) as events:
            yield from events

    def _max_tokens(self, prompt: Prompt) -> int:
        return prompt.max_tokens + (THINKING_TOKENS if REASONING.search(self._model) else 0)


@chat_models.register("bedrock")
def build(model: str) -> BedrockChatModel:
    from ragstone.aws.clients import bedrock_runtime

    return BedrockChatModel(bedrock_runtime(read_timeout=READ_SECONDS, connections=STREAMS), model=model)
