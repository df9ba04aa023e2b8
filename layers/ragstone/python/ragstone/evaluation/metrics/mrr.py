"""Reciprocal rank."""

from __future__ import annotations

from ragstone.evaluation.metrics.base import RetrievalMetric, metrics
from ragstone.evaluation.relevance import Ranking


def reciprocal_rank(ranking: Ranking, k: int) -> float:
    """1 / rank of the first passage that satisfies a gold entry, else 0; its mean is the MRR (Voorhees 1999)."""
    return next((1 / rank for rank, entries in enumerate(ranking.satisfied, start=1) if entries), 0.0)


@metrics.register("mrr")
class ReciprocalRank(RetrievalMetric):
    formula = staticmethod(reciprocal_rank)
