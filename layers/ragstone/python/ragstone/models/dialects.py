"""How chat completions differ between OpenAI-compatible servers and between the models behind them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ragstone.models.thinking import THINKING_TOKENS, room_to_think
from ragstone.types import Prompt

# o1 to o4, GPT-5 and later, on other servers under a path: they take neither `max_tokens` nor a temperature.
STRICT = re.compile(r"(.*/)?(o\d|gpt-[5-9])")

WITHHELD = frozenset(
    {"content_filter", "refusal", "safety", "sensitive"}
    | {"recitation", "blocklist", "prohibited_content", "spii", "image_safety", "language"}
)
"""Finish reasons, in small letters, of a reply that was withheld: OpenAI's, GLM's and Gemini's own."""

BROKEN = frozenset({"error", "network_error", "malformed_response"})
"""Finish reasons of a reply that the server itself calls broken: OpenRouter's, GLM's and Gemini's."""


@dataclass(frozen=True, slots=True)
class Dialect:
    """Which parameters a server's models take.

    `strict` servers refuse the older ones for some models and hide behind a name of the customer's which these are;
    a server with `temperature` takes 0 for models that are not strict themselves.
    """

    strict: bool = False
    temperature: bool = True

    def parameters(self, model: str, prompt: Prompt) -> dict[str, Any]:
        """The limit of the reply, and the temperature, as this model takes them."""
        strict = self.strict or STRICT.match(model) is not None
        room = THINKING_TOKENS if self.strict else room_to_think(model)
        limit = {"max_completion_tokens" if strict else "max_tokens": prompt.max_tokens + room}
        return limit if strict or room or not self.temperature else {**limit, "temperature": 0}


CHAT_DIALECTS: Mapping[str, Dialect] = {
    "azure": Dialect(strict=True),  # a deployment's name says nothing of its model
    "compatible": Dialect(),
    "gemini": Dialect(temperature=False),
    "glm": Dialect(temperature=False),
    "lmstudio": Dialect(),
    "ollama": Dialect(),
    "openai": Dialect(),
    "openrouter": Dialect(),
}
"""By the provider's name in a spec; where each is, is in `ragstone.models.compatible`."""
