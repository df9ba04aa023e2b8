"""From what the best passages name to other passages that name the same, for questions of several hops.

The graph is kept in the index: each chunk has its entities as a field that filters can ask for, two chunks that share
one are neighbours, and two entities of one chunk are mentioned together.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ragstone.entities import entities_of
from ragstone.filters import ENTITY
from ragstone.retrieval.base import Tools, strategies
from ragstone.retrieval.merging import merged
from ragstone.retrieval.strategies.hybrid import Hybrid
from ragstone.retrieval.trace import Trace
from ragstone.settings import Settings
from ragstone.types import Filter, FilterOp, Passage, Query

SEEDS = 5
"""Passages whose entities a hop follows."""

MOST_ENTITIES = 8
"""Entities that one hop follows at most."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Graph:
    """Each of `hops` searches again among the chunks that name what the best ones name and the question doesn't.

    The first hop's passages get every other place, the next one's every third: the question's own come first. A hop
    is a search like any other, so filters, access and the registry decide on what it may find.
    """

    base: Hybrid
    hops: int

    def find(self, query: Query, trace: Trace) -> list[Passage]:
        pool = self.base.find(query, trace)
        trace.found(pool)
        followed = set(entities_of(query.question, None))
        searches, seeds = [(pool, 1)], pool[:SEEDS]
        for hop in range(1, self.hops + 1):
            entities = bridges(seeds, followed)
            if not entities:
                break
            followed.update(entities)
            found = self._hop(query, entities, seeds, trace)
            trace.found(found, by="entities", query=", ".join(entities))
            searches.append((found, hop + 1))
            seeds = found[:SEEDS]
        return merged(*searches) if len(searches) > 1 else pool

    def _hop(self, query: Query, entities: Sequence[str], seeds: Sequence[Passage], trace: Trace) -> list[Passage]:
        """The best passages beside the seeds that name one of the entities, for the question with them added to it."""
        mentioned = Filter(ENTITY, FilterOp.IN, tuple(entities))
        text = f"{query.question} {' '.join(entities)}"
        known = {passage.chunk.chunk_id for passage in seeds}
        found = self.base.search(query, trace, text=text, filters=(mentioned,))
        return [passage for passage in found if passage.chunk.chunk_id not in known]

    def widen(self, passages: Sequence[Passage], query: Query, trace: Trace) -> list[Passage]:
        return list(passages)


def bridges(seeds: Iterable[Passage], followed: set[str]) -> list[str]:
    """What the passages name beyond what was followed already, by the sum of their fused scores; ties by name."""
    weights: dict[str, float] = {}
    for passage in seeds:
        for entity in entities_of(passage.chunk.text, passage.chunk.language):
            if entity not in followed:
                weights[entity] = weights.get(entity, 0.0) + passage.fused_score
    return sorted(weights, key=lambda entity: (-weights[entity], entity))[:MOST_ENTITIES]


@strategies.register("graph")
def build(settings: Settings, tools: Tools) -> Graph:
    return Graph(base=Hybrid.of(settings, tools), hops=settings.graph_hops)
