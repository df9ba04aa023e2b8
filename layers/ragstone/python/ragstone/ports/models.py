"""Models of all kinds: embedders, rerankers and chat models."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping, Sequence
from typing import Protocol

from ragstone.types import Prompt, Reranking, TextDelta, TokenUsage, Vector


class Embedder(Protocol):
    """Turns texts into unit-length vectors of `dimensions` floats; raises TransientError when a retry may help."""

    @property
    def spec(self) -> str: ...
    @property
    def dimensions(self) -> int: ...
    @property
    def lexical_weight(self) -> float:
        """How much the lexical leg counts in weighted fusion with this embedder, 0 to 1."""
        ...

    def embed_documents(self, texts: Sequence[str]) -> list[Vector]: ...
    def embed_query(self, text: str) -> Vector: ...


class Tokenizer(Protocol):
    """Cuts text into the tokens of a model."""

    @property
    def spec(self) -> str: ...
    def starts(self, text: str) -> Sequence[int]:
        """Where each token begins, in characters; a character of several tokens stands there as often."""
        ...


class VectorCache(Protocol):
    """Keeps vectors by key for a while, as float32; raises TransientError or PermanentError when it can't."""

    def get(self, keys: Sequence[str]) -> Mapping[str, Vector]:
        """The vectors that are there, by key."""
        ...

    def put(self, vectors: Mapping[str, Vector]) -> None: ...


class Reranker(Protocol):
    """Scores texts by how well they answer a question, reading both together."""

    @property
    def spec(self) -> str: ...
    def rerank(self, question: str, texts: Sequence[str]) -> Reranking:
        """A score for each text, higher is better, on a scale of its own; raises TransientError or PermanentError."""
        ...


class ChatModel(Protocol):
    """A chat model that streams; its usage comes last. Raises TransientError or PermanentError."""

    @property
    def spec(self) -> str: ...
    def stream(self, prompt: Prompt) -> AsyncGenerator[TextDelta | TokenUsage]: ...
