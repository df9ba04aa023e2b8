"""What calibration is fitted on: questions with all their candidates, and which of these hold the gold."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from ragstone.evaluation.benchmark_corpus import BenchmarkCorpus
from ragstone.evaluation.benchmark_files import BenchmarkQuestion
from ragstone.evaluation.corpus import Corpus
from ragstone.evaluation.gold import GoldItem
from ragstone.evaluation.relevance import Ranking
from ragstone.retrieval.fusion import Normalise, fuse
from ragstone.retrieval.selection import Selection
from ragstone.types import Chunk, Evidence, Hit, Legs, Passage


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A question with its candidates; `satisfied` says which of the `gold` entries a chunk satisfies, by chunk id."""

    question: str
    answerable: bool
    evidence: Evidence
    gold: int
    satisfied: Mapping[str, frozenset[int]]

    @classmethod
    def of_question(cls, question: BenchmarkQuestion, evidence: Evidence, corpus: BenchmarkCorpus) -> Asked:
        found = {passage.chunk.chunk_id: corpus.passage_ids(passage) for passage in evidence.pool}
        satisfied = {
            chunk_id: frozenset(n for n, gold in enumerate(question.gold) if gold in ids)
            for chunk_id, ids in found.items()
        }
        return cls(
            question=question.question,
            answerable=question.answerable,
            evidence=evidence,
            gold=len(question.gold),
            satisfied=satisfied,
        )

    @classmethod
    def of_item(cls, item: GoldItem, evidence: Evidence, corpus: Corpus) -> Asked:
        ranking = Ranking.of(evidence.pool, item.gold, corpus)
        ids = [passage.chunk.chunk_id for passage in evidence.pool]
        return cls(
            question=item.question,
            answerable=item.answerable,
            evidence=evidence,
            gold=len(item.gold),
            satisfied=dict(zip(ids, ranking.satisfied, strict=True)),
        )


@dataclass(frozen=True, slots=True)
class SharedChunks:
    """Keeps one object a chunk, however many questions have it among their candidates."""

    known: dict[str, Chunk] = field(default_factory=dict[str, Chunk])

    def of(self, evidence: Evidence) -> Evidence:
        return replace(evidence, passages=(), pool=tuple(map(self._shared, evidence.pool)))

    def _shared(self, passage: Passage) -> Passage:
        return replace(passage, chunk=self.known.setdefault(passage.chunk.chunk_id, passage.chunk))


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusion:
    """Fuses a question's candidates again, as retrieval would with another weight."""

    normalise: Normalise
    selection: Selection

    def best(self, asked: Asked, weight: float, limit: int) -> list[Passage]:
        pool = fuse(_legs(asked.evidence), lexical_weight=weight, normalise=self.normalise)
        return self.selection.best(pool, limit).passages

    def ranking(self, asked: Asked, weight: float, limit: int) -> Ranking:
        found = self.best(asked, weight, limit)
        return Ranking(tuple(asked.satisfied.get(p.chunk.chunk_id, frozenset()) for p in found), asked.gold)

    def evidence(self, asked: Asked, weight: float, limit: int) -> Evidence:
        return replace(asked.evidence, passages=tuple(self.best(asked, weight, limit)))


def _legs(evidence: Evidence) -> Legs:
    """What each leg found, as it found it."""
    lexical = [(p.lexical_rank, Hit(p.chunk, p.bm25)) for p in evidence.pool if p.lexical_rank and p.bm25 is not None]
    dense = [(p.dense_rank, Hit(p.chunk, p.cosine)) for p in evidence.pool if p.dense_rank and p.cosine is not None]
    return Legs(_in_order(lexical), _in_order(dense))


def _in_order(ranked: list[tuple[int, Hit]]) -> tuple[Hit, ...]:
    return tuple(hit for _, hit in sorted(ranked, key=lambda pair: pair[0]))
