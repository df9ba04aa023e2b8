"""Recall at k."""

from __future__ import annotations

from ragstone.evaluation.metrics.base import RetrievalMetric, metrics
from ragstone.evaluation.relevance import Ranking


def recall_at_k(ranking: Ranking, k: int) -> float:
    """The share of gold entries that the first k passages satisfy (Manning, Raghavan & Schütze 2008, chapter 8)."""
    return len(frozenset[int]().union(*ranking.satisfied[:k])) / ranking.gold


@metrics.register("recall@k")
class Recall(RetrievalMetric):
    formula = staticmethod(recall_at_k)
