"""Vectors alone: cosine similarity."""

from __future__ import annotations

from ragstone.retrieval.base import Tools, strategies
from ragstone.retrieval.fusion import min_max
from ragstone.retrieval.strategies.hybrid import Hybrid
from ragstone.retrieval.trace import Trace
from ragstone.settings import Settings
from ragstone.types import Passage, Query


class Dense(Hybrid):
    """The lexical leg is searched all the same, in the same round trip: its BM25 scores are what gates read."""

    __slots__ = ()

    def find(self, query: Query, trace: Trace) -> list[Passage]:
        return [passage for passage in self.search(query, trace) if passage.dense_rank is not None]


@strategies.register("dense")
def build(settings: Settings, tools: Tools) -> Dense:
    return Dense(candidates=tools.candidates, lexical_weight=0.0, normalise=min_max)
