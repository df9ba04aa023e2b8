"""Model spec strings: `provider:model`, or just `provider` where there is one model."""

from __future__ import annotations

from typing import NamedTuple

from ragstone.errors import SettingsError


class Spec(NamedTuple):
    """A parsed spec: `openai:text-embedding-3-small` is ("openai", "text-embedding-3-small")."""

    provider: str
    model: str

    @classmethod
    def parse(cls, text: str) -> Spec:
        provider, _, model = text.strip().partition(":")
        if not provider:
            raise SettingsError(f"model spec {text!r} is empty; write provider:model, for example openai:gpt-6-luna")
        return cls(provider, model)
