"""Model spec strings: `provider:model`, or just `provider` where there is one model."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from ragstone.errors import SettingsError

FAMILIES: Mapping[str, re.Pattern[str]] = {
    "anthropic": re.compile(r"claude-"),
    "gemini": re.compile(r"gemini-"),
    "glm": re.compile(r"glm-"),
    "openai": re.compile(r"(chat)?gpt-|o\d|text-embedding-"),
    "voyage": re.compile(r"voyage-"),
}
"""How the names of a provider's own models begin: these may be written without the provider."""


class Spec(NamedTuple):
    """A parsed spec: `openai:gpt-6-luna`, or `gpt-6-luna` for short, is ("openai", "gpt-6-luna")."""

    provider: str
    model: str

    @classmethod
    def parse(cls, text: str) -> Spec:
        provider, colon, model = text.strip().partition(":")
        if not provider:
            raise SettingsError(f"model spec {text!r} is empty; write provider:model, for example openai:gpt-6-luna")
        owners = [owner for owner, family in FAMILIES.items() if not colon and family.match(provider)]
        return cls(owners[0], provider) if owners else cls(provider, model)

    def __str__(self) -> str:
        return f"{self.provider}:{self.model}" if self.model else self.provider
