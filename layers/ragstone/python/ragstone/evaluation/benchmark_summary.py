"""Sums up a strategy's measurements."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from statistics import fmean

import pandas as pd

from ragstone.evaluation.benchmark import Measured
from ragstone.evaluation.benchmark_answers import summarise_answers
from ragstone.evaluation.benchmark_report import BINS, ConfidenceSummary, StrategyResult
from ragstone.evaluation.metrics.hit import hit_at_k
from ragstone.evaluation.metrics.mrr import reciprocal_rank
from ragstone.evaluation.metrics.ndcg import ndcg_at_k
from ragstone.evaluation.metrics.recall import recall_at_k
from ragstone.evaluation.relevance import Ranking
from ragstone.evaluation.report import LatencySummary
from ragstone.evaluation.statistics import auc
from ragstone.evaluation.summaries import summarise_latency

AT_K: Mapping[str, Callable[[Ranking, int], float]] = {"hit": hit_at_k, "recall": recall_at_k, "ndcg": ndcg_at_k}


def summarise(rows: Sequence[Measured], ks: Sequence[int]) -> StrategyResult:
    answered = [(row.question, row.answers) for row in rows if row.answers]
    return StrategyResult(
        metrics=metrics_of(rows, ks),
        confidence=_confidence(rows),
        latency_ms=_latency(rows),
        degraded=sum(row.is_degraded for row in rows),
        answers=summarise_answers(answered) if answered else None,
    )


def metrics_of(rows: Sequence[Measured], ks: Sequence[int]) -> dict[str, float]:
    """Means over answerable questions with gold; sections only where there are any."""
    scored = [row for row in rows if row.question.answerable and row.question.gold]
    rankings = [row.ranking for row in scored]
    sections = [row.sections for row in scored if row.sections]
    if not rankings:
        return {}
    found = {f"{name}@{k}": fmean(formula(r, k) for r in rankings) for name, formula in AT_K.items() for k in ks}
    found |= {f"section hit@{k}": fmean(hit_at_k(r, k) for r in sections) for k in ks if sections}
    return {**found, "mrr": fmean(reciprocal_rank(ranking, max(ks)) for ranking in rankings)}


def _confidence(rows: Sequence[Measured]) -> ConfidenceSummary:
    answerable, unanswerable = (
        [row.confidence for row in rows if row.question.answerable is kind] for kind in (True, False)
    )
    return ConfidenceSummary(auc(answerable, unanswerable), _histogram(answerable), _histogram(unanswerable))


def _histogram(values: Sequence[float]) -> tuple[int, ...]:
    bins = [min(int(value * BINS), BINS - 1) for value in values]
    return tuple(bins.count(number) for number in range(BINS))


def _latency(rows: Sequence[Measured]) -> Mapping[str, LatencySummary]:
    stages = pd.DataFrame([(stage, ms) for row in rows for stage, ms in row.stages_ms.items()], columns=["stage", "ms"])
    return summarise_latency(stages)
