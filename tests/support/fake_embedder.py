"""A deterministic embedder without a model: words hashed into a few dimensions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from math import sqrt

from ragstone.text import words
from ragstone.types import Vector


@dataclass
class FakeEmbedder:
    """Texts that share words have near vectors; `asked` keeps what it was given."""

    dimensions: int = 64
    spec: str = "fake"
    lexical_weight: float = 0.7
    asked: list[str] = field(default_factory=list[str])
    failures: list[Exception] = field(default_factory=list[Exception])

    def embed_documents(self, texts: Sequence[str]) -> list[Vector]:
        if self.failures:
            raise self.failures.pop(0)
        self.asked += texts
        return [self.embed_query(text) for text in texts]

    def embed_query(self, text: str) -> Vector:
        vector = [0.0] * self.dimensions
        for word in words(text) or ["?"]:
            vector[int(sha256(word.encode()).hexdigest(), 16) % self.dimensions] += 1.0
        length = sqrt(sum(value * value for value in vector))
        return [value / length for value in vector]
