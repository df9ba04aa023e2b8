"""Stages 7 and 8 in turns: each sentence is verified as soon as it is written, and released only then."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass

from ragstone.answering.judging import Judge
from ragstone.answering.run import Run
from ragstone.answering.tracing import OpenSpan
from ragstone.answering.verification import MIN_WORD_SUPPORT, Fault, Verifier
from ragstone.errors import ModelRefused
from ragstone.types import Claim, RefusalReason, RefusalStage, Sentence, TokenUsage


@dataclass(frozen=True, slots=True, kw_only=True)
class Generation:
    """Draws claims from the run's answerer and releases those that are verified, and pass the judge if there is one.

    What a model says twice is released once.
    """

    min_word_support: float = MIN_WORD_SUPPORT
    judge: Judge | None = None

    async def sentences(self, run: Run) -> AsyncGenerator[Sentence]:
        """Raises what the answerer raises; a model that its provider silenced is a refusal."""
        writing = run.spans.span("generate")
        writing.inputs |= {"answerer": run.answerer.spec, "passages": len(run.evidence.passages)}
        verifier = Verifier(run.evidence.passages, run.language, self.min_word_support)
        try:
            async with aclosing(self._claims(run, writing)) as claims:
                async for claim in claims:
                    sentence = await self._verified(run, verifier, claim)
                    if sentence and sentence not in run.sentences:
                        run.sentences.append(sentence)
                        yield sentence
        except ModelRefused:
            writing.outcome = "refused by the model's provider"
            run.refuse(RefusalStage.POLICY, RefusalReason.BLOCKED)

    async def _claims(self, run: Run, writing: OpenSpan) -> AsyncGenerator[Claim]:
        """The answerer's claims, its time taken without that of whoever reads them."""
        claims = run.answerer.claims(run.query.question, run.evidence, language=run.query.language)
        async with aclosing(claims):
            while True:
                with writing.working():
                    item = await anext(claims, None)
                if item is None:
                    return
                if isinstance(item, TokenUsage):
                    run.usage.append(item)
                else:
                    yield item

    async def _verified(self, run: Run, verifier: Verifier, claim: Claim) -> Sentence | None:
        span = run.spans.span("verify")
        with span.working():
            found = verifier.verify(claim)
            if isinstance(found, Sentence) and self.judge:
                supported, usage = await self.judge.supports(found)
                run.usage.extend(usage)
                found = found if supported else Fault.JUDGE
        if isinstance(found, Sentence):
            return found
        run.faults[found] += 1
        span.results[found.value] = run.faults[found]
        return None
