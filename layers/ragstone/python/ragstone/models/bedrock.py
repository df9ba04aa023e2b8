"""Chat models on Amazon Bedrock through its Converse API."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Generator, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import aclosing, closing
from typing import TYPE_CHECKING, Any

from ragstone.errors import ModelRefused
from ragstone.models.bedrock_failures import bedrock_failures
from ragstone.models.blocking import pulled
from ragstone.models.limits import Limits
from ragstone.models.provider import Event, Sign
from ragstone.models.registry import chat_models
from ragstone.models.thinking import room_to_think
from ragstone.types import Prompt, TextDelta, TokenUsage

if TYPE_CHECKING:
    from mypy_boto3_bedrock_runtime import BedrockRuntimeClient

STREAMS = 32  # streams at a time; each holds a connection, and a thread while it waits
WITHHELD = frozenset({"content_filtered", "guardrail_intervened", "refusal"})


class BedrockProvider:
    """One model; `client` decides on region and credentials, and blocks: threads wait for it."""

    def __init__(self, client: BedrockRuntimeClient, *, model: str) -> None:
        self.spec = f"bedrock:{model}"
        self._client = client
        self._model = model
        self._threads = ThreadPoolExecutor(STREAMS, thread_name_prefix="bedrock")

    async def events(self, prompt: Prompt) -> AsyncGenerator[Event]:
        with bedrock_failures(self.spec):
            async with aclosing(pulled(self._messages(prompt), self._threads)) as messages:
                async for message in messages:
                    for event in self._read(message):
                        yield event

    def _messages(self, prompt: Prompt) -> Generator[Mapping[str, Any]]:
        reply = self._client.converse_stream(
            modelId=self._model,
            system=[{"text": prompt.system}],
            messages=[{"role": "user", "content": [{"text": prompt.user}]}],
            inferenceConfig={"maxTokens": prompt.max_tokens + room_to_think(self._model)},
        )
        with closing(reply["stream"]) as messages:
            yield from messages

    def _read(self, message: Mapping[str, Any]) -> Iterator[Event]:
        if "contentBlockDelta" in message:
            text = message["contentBlockDelta"]["delta"].get("text")
            yield TextDelta(text) if text else Sign.THOUGHT
        elif "messageStop" in message:
            reason = message["messageStop"]["stopReason"]
            if reason in WITHHELD:
                raise ModelRefused(f"{self.spec}: the provider withheld the reply ({reason})")
            yield Sign.END
        elif "metadata" in message:
            counted = message["metadata"]["usage"]
            yield TokenUsage(self.spec, counted["inputTokens"], counted["outputTokens"])


@chat_models.register("bedrock")
def build(model: str, limits: Limits) -> BedrockProvider:
    from ragstone.aws.clients import bedrock_runtime

    client = bedrock_runtime(read_timeout=limits.read_seconds, connections=STREAMS, attempts=1)
    return BedrockProvider(client, model=model)
