"""Asking a chat model something on the way to the passages."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from typing import NamedTuple

from ragstone.errors import TransientError
from ragstone.ports import ChatModel
from ragstone.types import Prompt, TextDelta, TokenUsage


class Reply(NamedTuple):
    """All that a model wrote, and what it took."""

    text: str
    usage: tuple[TokenUsage, ...]


def reply_of(model: ChatModel, prompt: Prompt, *, seconds: float) -> Reply:
    """Raises TransientError, also after `seconds`, or PermanentError.

    Only for threads without an event loop, as those are in which retrieval runs.
    """
    try:
        return asyncio.run(asyncio.wait_for(_reply(model, prompt), seconds))
    except TimeoutError as error:
        raise TransientError(f"{model.spec} took longer than {seconds:g} s") from error


async def _reply(model: ChatModel, prompt: Prompt) -> Reply:
    async with aclosing(model.stream(prompt)) as stream:
        items = [item async for item in stream]
    text = "".join(item.text for item in items if isinstance(item, TextDelta))
    return Reply(text, tuple(item for item in items if isinstance(item, TokenUsage)))
