"""The benchmark: each strategy's passages, confidence, times and answers on questions whose answers are known."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from time import perf_counter

from ragstone.answering.gates import Assessment
from ragstone.evaluation.benchmark_answers import Answers, BothAnswers
from ragstone.evaluation.benchmark_corpus import BenchmarkCorpus
from ragstone.evaluation.benchmark_files import BenchmarkQuestion
from ragstone.evaluation.relevance import Ranking
from ragstone.ports import Retriever
from ragstone.types import Evidence, Passage, Query

Assess = Callable[[str, Evidence], Assessment]


@dataclass(frozen=True, slots=True)
class Measured:
    """One question: where its gold stands among the passages, where gold's sections do if it has any, and the rest."""

    question: BenchmarkQuestion
    ranking: Ranking
    sections: Ranking | None
    is_degraded: bool
    confidence: float
    stages_ms: Mapping[str, float]
    answers: BothAnswers | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Benchmark:
    """Asks questions of one retriever. Rankings go down to `depth` passages, gates and answers are given `top_k`."""

    corpus: BenchmarkCorpus
    retriever: Retriever
    assess: Assess
    answers: Answers | None
    depth: int
    top_k: int
    reranker: str | None = None

    async def measure(self, question: BenchmarkQuestion, strategy: str) -> Measured:
        query = Query(question.question, top_k=self.depth, strategy=strategy, reranker=self.reranker)
        started = perf_counter()
        evidence = await asyncio.to_thread(self.retriever.retrieve, query)
        retrieved = perf_counter()
        given = replace(evidence, passages=evidence.passages[: self.top_k])
        assessment = self.assess(question.question, given)
        gated = perf_counter()
        answers = await self.answers.both(question.question, given) if self.answers else None
        times = {"retrieve": (retrieved - started) * 1000, "gate": (gated - retrieved) * 1000}
        return Measured(
            question=question,
            ranking=self._ranking(evidence.passages, question.gold),
            sections=self._section_ranking(evidence.passages, question.gold),
            is_degraded=bool(evidence.degraded),
            confidence=assessment.confidence,
            stages_ms={**evidence.timings_ms, **times, **(answers.stages_ms if answers else {})},
            answers=answers,
        )

    def _ranking(self, passages: Sequence[Passage], gold: Sequence[str]) -> Ranking:
        return _ranking([self.corpus.passage_ids(passage) for passage in passages], gold)

    def _section_ranking(self, passages: Sequence[Passage], gold: Sequence[str]) -> Ranking | None:
        wanted = {self.corpus.sections[g] for g in gold if g in self.corpus.sections}
        if not wanted:
            return None
        found = [self.corpus.sections_of(passage) for passage in passages]
        return _ranking(found, sorted(wanted))


def _ranking(found: Sequence[frozenset[str]], gold: Sequence[str]) -> Ranking:
    return Ranking(tuple(frozenset(n for n, g in enumerate(gold) if g in ids) for ids in found), len(gold))
