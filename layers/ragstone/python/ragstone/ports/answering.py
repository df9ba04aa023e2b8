"""From a question to an answer, and what becomes of it."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from typing import Protocol

from ragstone.types import Answer, CachedAnswer, Claim, Evidence, Query, Span, TokenUsage, Vector


class Retriever(Protocol):
    """Finds what an answer may rest on, within the query's filters and the caller's groups."""

    def retrieve(self, query: Query) -> Evidence: ...


class Answerer(Protocol):
    """Proposes an answer from `evidence.passages`, sentence by sentence; a claim is verified before anybody sees it."""

    @property
    def spec(self) -> str: ...
    @property
    def reads(self) -> bool:
        """Whether it understands what it reads; one that doesn't must be kept from passages that lack the answer."""
        ...

    def claims(
        self, question: str, evidence: Evidence, *, language: str | None = None
    ) -> AsyncGenerator[Claim | TokenUsage]:
        """`language` (ISO 639-1) is that of the answer, the question's own without it."""
        ...


class AnswerCache(Protocol):
    """Keeps released answers for a while; an entry's documents are checked by whoever reads it."""

    def get(self, key: str) -> CachedAnswer | None: ...
    def nearest(self, scope: str, vector: Vector, *, at_least: float) -> CachedAnswer | None:
        """The entry of this scope whose question is nearest by cosine, if it is at least so near."""
        ...

    def put(self, entry: CachedAnswer) -> None: ...
    def remove(self, key: str) -> None: ...


class AnswerObserver(Protocol):
    """Is told of each finished answer: persistence and telemetry. A TransientError degrades the answer only."""

    def finished(self, query: Query, answer: Answer, trace: Sequence[Span]) -> None: ...
