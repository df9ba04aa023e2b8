"""A chat model that says what a test tells it to, piece by piece, and keeps what it was asked."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Iterable
from dataclasses import dataclass, field
from threading import Event

from ragstone.types import Prompt, TextDelta, TokenUsage

Part = str | Exception | Event


@dataclass
class ScriptedChat:
    """Each call streams the next reply in `piece`-character deltas.

    An exception in a reply is raised at its place; at an event the reply waits until it is set.
    """

    replies: list[Iterable[Part]]
    piece: int = 7
    spec: str = "scripted"
    prompts: list[Prompt] = field(default_factory=list[Prompt])
    closed: int = 0

    async def stream(self, prompt: Prompt) -> AsyncGenerator[TextDelta | TokenUsage]:
        self.prompts.append(prompt)
        try:
            for part in self.replies.pop(0):
                if isinstance(part, Exception):
                    raise part
                if isinstance(part, Event):
                    await _until(part)
                    continue
                for start in range(0, len(part), self.piece):
                    await asyncio.sleep(0)
                    yield TextDelta(part[start : start + self.piece])
            yield TokenUsage(self.spec, 100, 20)
        finally:
            self.closed += 1


async def _until(event: Event) -> None:
    """Polled, because whoever sets it is in another thread and may never come."""
    while not event.is_set():
        await asyncio.sleep(0.005)
