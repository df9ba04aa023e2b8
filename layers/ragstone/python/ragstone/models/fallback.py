"""A second chat model for when the first one fails."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import replace

from ragstone.errors import ModelRefused, PermanentError, TransientError
from ragstone.observability import logger
from ragstone.ports import ChatModel
from ragstone.types import Prompt, TextDelta, TokenUsage


class FallbackChatModel:
    """Asks `second` when `first` fails before its first token; a refusal is a reply, and stands.

    The usage then names the model that spoke, and the one that it stands in for.
    """

    def __init__(self, *, first: ChatModel, second: ChatModel) -> None:
        self.spec = first.spec
        self._first = first
        self._second = second

    async def stream(self, prompt: Prompt) -> AsyncGenerator[TextDelta | TokenUsage]:
        begun = False
        try:
            async with aclosing(self._first.stream(prompt)) as items:
                async for item in items:
                    begun = True
                    yield item
            return
        except (TransientError, PermanentError) as error:
            if begun or isinstance(error, ModelRefused):
                raise
            logger.warning("the fallback model answers", extra={"model": self._second.spec, "error": str(error)})
        async with aclosing(self._second.stream(prompt)) as items:
            async for item in items:
                yield replace(item, stands_in_for=self.spec) if isinstance(item, TokenUsage) else item
