"""A chat model that says what a test tells it to, piece by piece, and keeps what it was asked."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass, field

from ragstone.types import Prompt, TextDelta, TokenUsage


@dataclass
class ScriptedChat:
    """Each call streams the next reply in `piece`-character deltas; an exception in a reply is raised at its place."""

    replies: list[Sequence[str | Exception]]
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
                for start in range(0, len(part), self.piece):
                    await asyncio.sleep(0)
                    yield TextDelta(part[start : start + self.piece])
            yield TokenUsage(self.spec, 100, 20)
        finally:
            self.closed += 1
