"""Normalised discounted cumulative gain at k."""

from __future__ import annotations

from math import log2

from ragstone.evaluation.metrics.base import RetrievalMetric, metrics
from ragstone.evaluation.relevance import Ranking


def ndcg_at_k(ranking: Ranking, k: int) -> float:
    """DCG of the first k passages with binary gains, over that of the best order (Järvelin & Kekäläinen 2002).

    A passage gains 1 if it is the first to satisfy some gold entry, so that overlapping chunks don't count twice. The
    best order has one such passage for each entry; entries that one passage satisfies together need only that one.
    """
    gains = ranking.first_time
    entries_never_found = ranking.gold - len(frozenset[int]().union(*ranking.satisfied))
    ideal = [True] * (sum(gains) + entries_never_found)
    return _dcg(gains[:k]) / _dcg(ideal[:k])


@metrics.register("ndcg@k")
class Ndcg(RetrievalMetric):
    formula = staticmethod(ndcg_at_k)


def _dcg(gains: list[bool]) -> float:
    return sum(gain / log2(rank + 1) for rank, gain in enumerate(gains, start=1))
