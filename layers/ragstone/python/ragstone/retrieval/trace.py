"""What a retrieval notes down on its way, for its evidence."""

from __future__ import annotations

from collections.abc import Generator, Iterable
from contextlib import contextmanager
from dataclasses import dataclass, field
from time import perf_counter

from ragstone.types import Passage, RetrievalStep, TokenUsage


@dataclass(slots=True)
class Trace:
    """One retrieval's timings (milliseconds by stage, repeats added up), steps, model calls and what went wrong."""

    timings_ms: dict[str, float] = field(default_factory=dict[str, float])
    steps: list[RetrievalStep] = field(default_factory=list[RetrievalStep])
    degraded: list[str] = field(default_factory=list[str])
    usage: list[TokenUsage] = field(default_factory=list[TokenUsage])
    translation: str | None = None
    _seen: set[str] = field(default_factory=set[str])

    @contextmanager
    def stage(self, name: str) -> Generator[None]:
        started = perf_counter()
        try:
            yield
        finally:
            self.timings_ms[name] = self.timings_ms.get(name, 0.0) + (perf_counter() - started) * 1000

    def found(self, passages: Iterable[Passage], *, by: str = "", query: str = "") -> None:
        """Note what a search brought, and if it is one beyond the question's own, as a step."""
        ids = {passage.chunk.chunk_id for passage in passages}
        if by:
            self.steps.append(RetrievalStep(by, query, len(ids - self._seen)))
        self._seen |= ids
