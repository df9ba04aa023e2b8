"""Hit rate at k."""

from __future__ import annotations

from ragstone.evaluation.metrics.base import RetrievalMetric, metrics
from ragstone.evaluation.relevance import Ranking


def hit_at_k(ranking: Ranking, k: int) -> float:
    """1 if one of the first k passages satisfies a gold entry; its mean is the success rate (Voorhees 2004)."""
    return float(any(ranking.satisfied[:k]))


@metrics.register("hit@k")
class Hit(RetrievalMetric):
    formula = staticmethod(hit_at_k)
