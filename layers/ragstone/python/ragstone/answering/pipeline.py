"""The use case of answering in its ten stages: from a question to sentences that were checked, or to a refusal."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field, replace

from ragstone.answering.cache import AnswerCaching
from ragstone.answering.choices import Choices
from ragstone.answering.events import (
    AskedBack,
    Event,
    Finished,
    Found,
    Reasoning,
    Refused,
    Released,
    Started,
    Status,
)
from ragstone.answering.final_gate import FinalGate
from ragstone.answering.gates import EarlyGate
from ragstone.answering.generation import Generation
from ragstone.answering.questions import QuestionCheck
from ragstone.answering.reasoning import ReasoningPass
from ragstone.answering.refusals import Wording
from ragstone.answering.rewriting import Rewriting
from ragstone.answering.run import Run
from ragstone.answering.sufficiency import SufficiencyCheck
from ragstone.errors import TransientError
from ragstone.ports import Answerer, AnswerObserver, Retriever
from ragstone.types import Answer, Query


@dataclass(frozen=True, slots=True, kw_only=True)
class Answering:
    """Answers questions from the index, one verified sentence at a time, or refuses with a reason.

    What is None or empty is a stage that does nothing. An index that hasn't answered after `patience_seconds` is
    reported as warming.
    """

    retriever: Retriever
    gate: EarlyGate
    answerer: Answerer
    choices: Choices = field(default_factory=Choices)
    questions: QuestionCheck = field(default_factory=QuestionCheck)
    cache: AnswerCaching | None = None
    rewriting: Rewriting = field(default_factory=Rewriting)
    sufficiency: SufficiencyCheck | None = None
    reasoning: ReasoningPass | None = None
    generation: Generation = field(default_factory=Generation)
    final_gate: FinalGate = field(default_factory=FinalGate)
    wording: Wording = field(default_factory=Wording)
    observers: Sequence[AnswerObserver] = ()
    patience_seconds: float = 5

    async def answer(self, query: Query) -> Answer:
        """The whole result at once."""
        async with aclosing(self.stream(query)) as events:
            async for event in events:
                if isinstance(event, Finished):
                    return event.answer
        raise AssertionError("an answer always finishes")

    async def stream(self, query: Query) -> AsyncGenerator[Event]:
        """The answer's events. The first comes after retrieval, or after `patience_seconds` without it.

        So what fails before it can still be a status. Closing the generator stops the work.
        """
        run = Run(query, self.choices.answerer(query, self.answerer))
        preparing = asyncio.ensure_future(self._prepare(run))
        try:
            await asyncio.wait({preparing}, timeout=self.patience_seconds)
            if not preparing.done():
                yield Started(run.answerer.spec)
                yield Status("warming")
                await preparing
            else:
                preparing.result()
                yield Started(run.answerer.spec)
        finally:
            preparing.cancel()
        async with aclosing(self._from_evidence(run)) as events:
            async for event in events:
                yield event

    async def _prepare(self, run: Run) -> None:
        """Stages 1 to 4."""
        await self.questions.run(run)
        if self.cache and not run.is_settled:
            await self.cache.look_up(run)
        elif not run.is_settled:
            run.spans.skip("cache", "off")
        if not run.is_settled:
            await self.rewriting.run(run)
        if not run.is_settled:
            await self._retrieve(run)

    async def _retrieve(self, run: Run) -> None:
        with run.spans.stage("retrieve") as span:
            span.inputs |= {"top_k": run.query.top_k, "filters": len(run.query.filters)}
            run.evidence = await asyncio.to_thread(self.retriever.retrieve, run.query)
            span.inputs |= {"strategy": run.evidence.strategy, "reranker": run.evidence.reranker}
            span.results |= {"passages": len(run.evidence.passages), "pool": len(run.evidence.pool)}

    async def _from_evidence(self, run: Run) -> AsyncGenerator[Event]:
        """Stages 5 to 10."""
        yield Found(run.evidence.passages)
        if run.cached:
            for sentence in run.sentences:
                yield Released(sentence)
        if not run.is_settled:
            self._assess(run)
        if not run.is_settled and self.sufficiency and self.sufficiency.applies(run):
            yield Status("reading")
            await self.sufficiency.run(run)
        if not run.is_settled:
            async with aclosing(self._written(run)) as events:
                async for event in events:
                    yield event
        if run.clarification:
            yield AskedBack(run.clarification)
        if run.refusal:
            run.refusal = self.wording.localised(run.refusal, run.language)
            yield Refused(run.refusal)
        yield Finished(await self._finalised(run))

    def _assess(self, run: Run) -> None:
        """Stages 5 and 6, as far as scores go; the lexical reading is for answerers that don't read themselves."""
        with run.spans.stage("confidence") as span:
            gate = replace(self.gate, min_coverage=0.0) if run.answerer.reads else self.gate
            assessment = gate.assess(run.query.question, run.evidence)
            run.confidence = span.results["confidence"] = assessment.confidence
        with run.spans.stage("early_gate") as span:
            run.gates |= assessment.scores
            run.refusal = assessment.refusal
            span.outcome = f"refused: {run.refusal.reason}" if run.refusal else "passed"

    async def _written(self, run: Run) -> AsyncGenerator[Event]:
        """Stages 7 to 9."""
        if self.reasoning:
            yield Status("reading")
            async with aclosing(self.reasoning.lines(run)) as lines:
                async for line in lines:
                    yield Reasoning(line)
        async with aclosing(self.generation.sentences(run)) as released:
            async for sentence in released:
                yield Released(sentence)
        self.final_gate.run(run)

    async def _finalised(self, run: Run) -> Answer:
        """Stage 10."""
        with run.spans.stage("finalise") as span:
            if self.cache:
                await self.cache.keep(run, run.answer())
            span.results |= {"sentences": len(run.sentences), "refused": run.refusal is not None}
        answer = run.answer()
        for observer in self.observers:
            try:
                await asyncio.to_thread(observer.finished, run.query, answer, run.spans.trace())
            except TransientError as error:
                run.degraded.append(f"the answer was not recorded: {error}")
        return run.answer()
