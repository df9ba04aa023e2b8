from __future__ import annotations

from dataclasses import dataclass, field

import pytest

from ragstone.answering.gates import Assessment
from ragstone.evaluation.benchmark import Benchmark, Measured
from ragstone.evaluation.benchmark_corpus import BenchmarkCorpus
from ragstone.evaluation.benchmark_files import BenchmarkPassage, BenchmarkQuestion
from ragstone.evaluation.benchmark_summary import summarise
from ragstone.types import Evidence, Passage, Query

CORPUS = BenchmarkCorpus.of(
    [
        BenchmarkPassage("p1", "The ferry is white.", "Ferry", {"section": "Looks"}),
        BenchmarkPassage("p2", "The ferry is fast.", "Ferry", {"section": "Looks"}),
        BenchmarkPassage("p3", "Trams are red.", "Tram"),
    ]
)
_, P1, P2, P3 = CORPUS.chunks
ASKED = BenchmarkQuestion("q1", "Which colour?", True, ("p1",), "white")
HOPELESS = BenchmarkQuestion("q2", "Why?", False)


@dataclass
class Scripted:
    """Finds p2, p1, p3, whatever is asked."""

    asked: list[Query] = field(default_factory=list[Query])

    def retrieve(self, query: Query) -> Evidence:
        self.asked.append(query)
        passages = tuple(Passage(chunk, 1.0) for chunk in (P2, P1, P3))
        return Evidence(passages, passages, timings_ms={"search": 3.0}, degraded=("not reranked",))


def confidence_of(question: str, evidence: Evidence) -> Assessment:
    assert len(evidence.passages) == 2
    return Assessment(0.8, None)


@pytest.fixture
def retriever() -> Scripted:
    return Scripted()


async def measured(retriever: Scripted) -> list[Measured]:
    benchmark = Benchmark(corpus=CORPUS, retriever=retriever, assess=confidence_of, answers=None, depth=3, top_k=2)
    return [await benchmark.measure(question, "neighbours") for question in (ASKED, HOPELESS)]


async def test_the_strategy_is_asked_down_to_the_depth(retriever: Scripted) -> None:
    await measured(retriever)
    assert [(query.strategy, query.top_k) for query in retriever.asked] == [("neighbours", 3)] * 2


async def test_metrics_are_means_over_answerable_questions(retriever: Scripted) -> None:
    found = summarise(await measured(retriever), [1, 2])
    assert found.metrics == {
        "hit@1": 0.0,
        "hit@2": 1.0,
        "recall@1": 0.0,
        "recall@2": 1.0,
        "ndcg@1": 0.0,
        "ndcg@2": pytest.approx(0.6309, abs=1e-4),
        "section hit@1": 1.0,
        "section hit@2": 1.0,
        "mrr": 0.5,
    }
    assert (found.degraded, found.answers) == (2, None)


async def test_times_are_those_of_each_stage(retriever: Scripted) -> None:
    latency = summarise(await measured(retriever), [1]).latency_ms
    assert (latency["search"].p50, latency["search"].n) == (3.0, 2)
    assert {"retrieve", "gate"} <= latency.keys()


async def test_confidence_that_tells_nothing_apart_is_chance(retriever: Scripted) -> None:
    confidence = summarise(await measured(retriever), [1]).confidence
    assert confidence.auc == 0.5
    assert (confidence.answerable[16], sum(confidence.answerable), confidence.unanswerable[16]) == (1, 1, 1)


async def test_without_gold_there_are_no_metrics(retriever: Scripted) -> None:
    rows = (await measured(retriever))[1:]
    found = summarise(rows, [1])
    assert (found.metrics, found.confidence.auc) == ({}, None)
