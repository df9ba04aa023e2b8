"""What one answer has come to so far: the state that the stages share."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from ragstone.answering.refusals import NOTHING_FOUND, refuse
from ragstone.answering.tracing import Recorder
from ragstone.answering.verification import Fault
from ragstone.language import written_language
from ragstone.ports import Answerer
from ragstone.pricing import cost_usd
from ragstone.types import (
    Answer,
    CachedAnswer,
    Evidence,
    Query,
    Refusal,
    RefusalReason,
    RefusalStage,
    Sentence,
    Telemetry,
    TokenUsage,
)


@dataclass(slots=True)
class Run:
    """One query on its way; `query.question` is the question as it stands after the stages so far."""

    query: Query
    answerer: Answerer
    spans: Recorder = field(default_factory=Recorder)
    evidence: Evidence = NOTHING_FOUND
    confidence: float = 0.0
    refusal: Refusal | None = None
    clarification: str | None = None
    cached: CachedAnswer | None = None
    cache: str = "off"
    sentences: list[Sentence] = field(default_factory=list[Sentence])
    faults: Counter[Fault] = field(default_factory=Counter[Fault])
    usage: list[TokenUsage] = field(default_factory=list[TokenUsage])
    gates: dict[str, float] = field(default_factory=dict[str, float])
    degraded: list[str] = field(default_factory=list[str])

    @property
    def language(self) -> str:
        """The answer's."""
        return self.query.language or written_language(self.query.question)

    @property
    def is_settled(self) -> bool:
        """Whether no later stage can change what comes out."""
        return any(outcome is not None for outcome in (self.refusal, self.clarification, self.cached))

    def refuse(self, stage: RefusalStage, reason: RefusalReason) -> None:
        self.refusal = refuse(stage, reason, self.evidence)

    def answer(self) -> Answer:
        """The result; a refusal withdraws what was released."""
        return Answer(
            sentences=() if self.refusal else tuple(self.sentences),
            refusal=self.refusal,
            confidence=self.confidence,
            passages=self.evidence.passages,
            telemetry=self._telemetry(),
            clarification=self.clarification,
            trace=self.spans.trace() if self.query.trace else (),
        )

    def _telemetry(self) -> Telemetry:
        usage = (*self.evidence.usage, *self.usage)
        replaced = (f"{call.model} stood in for {call.stands_in_for}" for call in usage if call.stands_in_for)
        return Telemetry(
            stages_ms={**self.evidence.timings_ms, **self.spans.stages_ms(), "total": self.spans.now_ms},
            usage=usage,
            cost_usd=cost_usd(usage),
            dropped_sentences=self.faults.total(),
            cache=self.cache,
            gates=self.gates,
            degraded=(*self.evidence.degraded, *self.degraded, *dict.fromkeys(replaced)),
        )
