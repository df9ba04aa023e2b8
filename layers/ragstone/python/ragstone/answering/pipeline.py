"""The use case of answering: retrieve, gate, generate, verify, gate again."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass, field
from time import perf_counter

from ragstone.answering.events import Event, Finished, Refused, Released, Started
from ragstone.answering.gates import EarlyGate, refuse
from ragstone.answering.verification import Verifier
from ragstone.ports import Answerer, Retriever
from ragstone.pricing import cost_usd
from ragstone.types import (
    Answer,
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
class _Progress:
    """What one answer has come to so far."""

    stages_ms: dict[str, float]
    usage: list[TokenUsage] = field(default_factory=list[TokenUsage])
    sentences: list[Sentence] = field(default_factory=list[Sentence])
    dropped: int = 0

    @property
    def refusal_reason(self) -> RefusalReason:
        """Why nothing was released: the drafted sentences failed, or there were none."""
        return RefusalReason.UNSUPPORTED if self.dropped else RefusalReason.UNCITED


@dataclass(frozen=True, slots=True, kw_only=True)
class Answering:
    """Answers questions from the index, one verified sentence at a time, or refuses with a reason."""

    retriever: Retriever
    gate: EarlyGate
    answerer: Answerer

    async def answer(self, query: Query) -> Answer:
        """The whole result at once."""
        async with aclosing(self.stream(query)) as events:
            async for event in events:
                if isinstance(event, Finished):
                    return event.answer
        raise AssertionError("an answer always finishes")

    async def stream(self, query: Query) -> AsyncGenerator[Event]:
        """The answer's events; the first comes after retrieval, so whatever fails before it can still be a status.

        Closing the generator stops the answerer's work.
        """
        started = perf_counter()
        evidence = await asyncio.to_thread(self.retriever.retrieve, query)
        assessment = self.gate.assess(query.question, evidence)
        progress = _Progress({**evidence.timings_ms, "retrieve": _ms(started)})
        yield Started(self.answerer.spec, evidence.passages)
        refusal = assessment.refusal
        if refusal is None:
            generating = perf_counter()
            async with aclosing(self._generate(query, evidence, progress)) as released:
                async for sentence in released:
                    yield Released(sentence)
            progress.stages_ms["generate"] = _ms(generating)
            if not progress.sentences:
                refusal = refuse(RefusalStage.GROUNDING, progress.refusal_reason, evidence)
        if refusal is not None:
            yield Refused(refusal)
        progress.stages_ms["total"] = _ms(started)
        yield Finished(_answer(progress, refusal, assessment.confidence, evidence))

    async def _generate(self, query: Query, evidence: Evidence, progress: _Progress) -> AsyncGenerator[Sentence]:
        verifier = Verifier(evidence.passages)
        async with aclosing(self.answerer.claims(query.question, evidence)) as claims:
            async for item in claims:
                if isinstance(item, TokenUsage):
                    progress.usage.append(item)
                elif sentence := verifier.verify(item):
                    progress.sentences.append(sentence)
                    yield sentence
                else:
                    progress.dropped += 1


def _answer(progress: _Progress, refusal: Refusal | None, confidence: float, evidence: Evidence) -> Answer:
    return Answer(
        sentences=tuple(progress.sentences),
        refusal=refusal,
        confidence=confidence,
        passages=evidence.passages,
        telemetry=Telemetry(
            stages_ms=progress.stages_ms,
            usage=tuple(progress.usage),
            cost_usd=cost_usd(progress.usage),
            dropped_sentences=progress.dropped,
        ),
    )


def _ms(since: float) -> float:
    return (perf_counter() - since) * 1000
