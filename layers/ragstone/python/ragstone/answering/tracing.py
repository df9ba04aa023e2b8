"""The ten stages of an answer, each with its time, what went in and what came of it."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from time import perf_counter

from ragstone.types import Span, SpanValue

STAGES = (
    "validate",
    "cache",
    "rewrite",
    "retrieve",
    "confidence",
    "early_gate",
    "generate",
    "verify",
    "final_gate",
    "finalise",
)


@dataclass(slots=True)
class OpenSpan:
    """A stage at work; it may work in turns with another one."""

    started_ms: float
    worked_ms: float = 0.0
    outcome: str = "done"
    inputs: dict[str, SpanValue] = field(default_factory=dict[str, SpanValue])
    results: dict[str, SpanValue] = field(default_factory=dict[str, SpanValue])

    @contextmanager
    def working(self) -> Generator[None]:
        began = perf_counter()
        try:
            yield
        finally:
            self.worked_ms += (perf_counter() - began) * 1000


@dataclass(slots=True)
class Recorder:
    """Records the stages of one answer."""

    _began: float = field(default_factory=perf_counter)
    _open: dict[str, OpenSpan] = field(default_factory=dict[str, OpenSpan])

    @property
    def now_ms(self) -> float:
        return (perf_counter() - self._began) * 1000

    def span(self, stage: str) -> OpenSpan:
        """The stage's span, opened now if it was not yet."""
        return self._open.setdefault(stage, OpenSpan(self.now_ms))

    @contextmanager
    def stage(self, name: str) -> Generator[OpenSpan]:
        """A stage from begin to end; an exception ends it as `failed`."""
        span = self.span(name)
        with span.working():
            try:
                yield span
            except BaseException:
                span.outcome = "failed"
                raise

    def skip(self, stage: str, why: str) -> None:
        self.span(stage).outcome = f"skipped: {why}"

    def trace(self) -> tuple[Span, ...]:
        """All ten stages in order; those that were not reached took no time."""
        unreached = OpenSpan(self.now_ms, outcome="not reached")
        spans = ((name, self._open.get(name, unreached)) for name in STAGES)
        return tuple(Span(name, s.started_ms, s.worked_ms, s.outcome, s.inputs, s.results) for name, s in spans)

    def stages_ms(self) -> dict[str, float]:
        return {name: span.worked_ms for name, span in self._open.items()}
