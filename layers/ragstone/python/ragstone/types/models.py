"""What models are asked and what their replies took."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TokenUsage:
    """Tokens of one model call as the provider reports them, `estimated` from the texts where it doesn't.

    `stands_in_for` is the spec of the model that failed before this one replied in its place, empty if none did.
    """

    model: str
    input_tokens: int = 0
    output_tokens: int = 0
    estimated: bool = False
    stands_in_for: str = ""


@dataclass(frozen=True, slots=True)
class Reranking:
    """A reranker's scores, one a text in the order in which they were given, and what the model's calls took."""

    scores: tuple[float, ...]
    usage: tuple[TokenUsage, ...] = ()


@dataclass(frozen=True, slots=True)
class Prompt:
    """One call of a chat model: instructions, then one user message."""

    system: str
    user: str
    max_tokens: int = 1024


@dataclass(frozen=True, slots=True)
class TextDelta:
    """A piece of a model's reply as it streams."""

    text: str
