"""Small questions to a chat model, answered by one JSON object; and fences around what is not ours."""

from __future__ import annotations

import json
import re
import secrets
from collections.abc import Iterable, Mapping
from contextlib import aclosing
from dataclasses import dataclass
from typing import Any

from ragstone.ports import ChatModel
from ragstone.types import Passage, Prompt, TokenUsage

MAX_REPLY = 4_000
"""Characters: a longer reply to a small question is none."""

OBJECT = re.compile(r"\{.*\}", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Reply:
    """The fields of a model's JSON object, none if it said anything else."""

    fields: Mapping[str, Any]
    usage: tuple[TokenUsage, ...]

    def says(self, name: str) -> bool:
        """Whether the field is true; anything but a clear yes is a no."""
        return self.fields.get(name) is True

    def text(self, name: str) -> str:
        value = self.fields.get(name)
        return value.strip() if isinstance(value, str) else ""


async def ask(model: ChatModel, prompt: Prompt) -> Reply:
    """Raises what the model raises."""
    text, usage = "", list[TokenUsage]()
    async with aclosing(model.stream(prompt)) as deltas:
        async for item in deltas:
            if isinstance(item, TokenUsage):
                usage.append(item)
            elif len(text) <= MAX_REPLY:
                text += item.text
    return Reply(_fields(text), tuple(usage))


@dataclass(frozen=True, slots=True)
class Fence:
    """Marks off text that is material and not instruction; the marker is new each time, so no text can close it."""

    marker: str

    @classmethod
    def new(cls) -> Fence:
        return cls(secrets.token_hex(8))

    def passages(self, passages: Iterable[Passage]) -> str:
        return self.texts((f"passage {number}", p.chunk.shown_text) for number, p in enumerate(passages, 1))

    def texts(self, named: Iterable[tuple[str, str]]) -> str:
        fenced = "\n".join(f"{self.marker} {name}\n{text}" for name, text in named)
        return f"{fenced}\n{self.marker} end"


def _fields(text: str) -> Mapping[str, Any]:
    found = OBJECT.search(text[:MAX_REPLY])
    try:
        return json.loads(found[0]) if found else {}
    except (ValueError, RecursionError):
        return {}
