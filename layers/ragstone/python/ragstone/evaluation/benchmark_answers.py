"""A benchmark's answers: from given evidence, once with every gate open and once as a user would get them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import pandas as pd

from ragstone.answering import Answering
from ragstone.evaluation.benchmark_files import BenchmarkQuestion
from ragstone.evaluation.benchmark_report import AnswerSummary
from ragstone.evaluation.summaries import summarise_refusals
from ragstone.text import find_quote, words
from ragstone.types import Answer, Evidence, Query, RefusalStage

EARLY = (RefusalStage.RETRIEVAL, RefusalStage.SUFFICIENCY)


@dataclass(frozen=True, slots=True)
class BothAnswers:
    """What was answered `before` refusals, every early gate open, and `after` them."""

    before: Answer
    after: Answer

    @property
    def stages_ms(self) -> Mapping[str, float]:
        """Of the open answer, which goes through every stage; the search itself is measured apart."""
        stages = self.before.telemetry.stages_ms
        return {name: ms for name, ms in stages.items() if name not in ("retrieve", "total")}


@dataclass(frozen=True, slots=True)
class Answers:
    """Answers with the production use case; a question that its early gates let pass is answered once only."""

    answering: Answering

    async def both(self, question: str, evidence: Evidence) -> BothAnswers:
        given = replace(self.answering, retriever=_Given(replace(evidence, timings_ms={})))
        after = await given.answer(Query(question))
        if after.refusal is None or after.refusal.stage not in EARLY:
            return BothAnswers(after, after)
        gate = replace(given.gate, min_confidence=0.0, min_coverage=0.0)
        opened = replace(given, gate=gate, sufficiency=None)
        return BothAnswers(await opened.answer(Query(question)), after)


@dataclass(frozen=True, slots=True)
class _Given:
    """Retrieves what was retrieved already."""

    evidence: Evidence

    def retrieve(self, query: Query) -> Evidence:
        return self.evidence


def holds(answer: Answer, reference: str) -> bool:
    """Whether the answer's words contain the reference's, whole words in order; case, accents and punctuation aside."""
    return find_quote(" ".join(words(reference)), " ".join(words(answer.text))) is not None


def is_quotation(answer: Answer) -> bool:
    """Whether each sentence is words of one of its citations and nothing else."""
    return all(
        any(find_quote(sentence.text, citation.quote) for citation in sentence.citations)
        for sentence in answer.sentences
    )


def summarise_answers(answered: Sequence[tuple[BenchmarkQuestion, BothAnswers]]) -> AnswerSummary:
    referenced = [(q.reference, both) for q, both in answered if q.answerable and words(q.reference)]
    given = [both.after for _, both in answered if not both.after.refused]
    return AnswerSummary(
        held_before=_share([holds(both.before, reference) for reference, both in referenced]),
        held_after=_share([holds(both.after, reference) for reference, both in referenced]),
        quotations=_share([is_quotation(answer) for answer in given]),
        before=summarise_refusals(_frame([(q, both.before) for q, both in answered])),
        after=summarise_refusals(_frame([(q, both.after) for q, both in answered])),
    )


def _frame(answers: Sequence[tuple[BenchmarkQuestion, Answer]]) -> pd.DataFrame:
    return pd.DataFrame(
        {
            "answerable": [question.answerable for question, _ in answers],
            "refused": [answer.refused for _, answer in answers],
            "reason": [answer.refusal.reason.value if answer.refusal else None for _, answer in answers],
        }
    )


def _share(hits: Sequence[bool]) -> float | None:
    return sum(hits) / len(hits) if hits else None
