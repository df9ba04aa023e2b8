"""The stages of every retrieval: find, rerank, select, widen."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from ragstone.errors import InvalidQuery
from ragstone.retrieval.base import Strategy
from ragstone.retrieval.rerank import RerankStage
from ragstone.retrieval.selection import Selected, Selection
from ragstone.retrieval.trace import Trace
from ragstone.types import Evidence, Passage, Query

NO_RERANKER = "none"
"""What a request names to do without the reranker of the settings."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StagedRetriever:
    """Retrieves by the strategy and reranker that a query names among the allowed ones, else by the settings' own.

    Raises InvalidQuery for a name that is not among them. An empty `reranker` is none.
    """

    strategies: Mapping[str, Strategy]
    strategy: str
    selection: Selection
    rerankers: Mapping[str, RerankStage]
    reranker: str = ""

    def retrieve(self, query: Query) -> Evidence:
        strategy_name, reranker_name = self._chosen(query)
        strategy, stage = self.strategies[strategy_name], self.rerankers.get(reranker_name)
        trace = Trace()
        pool = strategy.find(query, trace)
        selected = self._selected(query, pool, stage, trace)
        passages = strategy.widen(selected.passages, query, trace)
        return Evidence(
            passages=tuple(passages),
            pool=tuple(pool),
            timings_ms=trace.timings_ms,
            strategy=strategy_name,
            reranker=reranker_name if stage else "",
            steps=tuple(trace.steps),
            degraded=tuple(trace.degraded),
            collapsed=selected.collapsed,
            translation=trace.translation,
            usage=tuple(trace.usage),
        )

    def _chosen(self, query: Query) -> tuple[str, str]:
        """The names of the query's strategy and reranker."""
        strategy = query.strategy or self.strategy
        if strategy not in self.strategies:
            raise InvalidQuery("unknown_strategy", _unknown("strategy", strategy, self.strategies))
        reranker = self.reranker if query.reranker is None else query.reranker
        if reranker not in ("", NO_RERANKER, *self.rerankers):
            raise InvalidQuery("unknown_reranker", _unknown("reranker", reranker, (NO_RERANKER, *self.rerankers)))
        return strategy, reranker

    def _selected(self, query: Query, pool: list[Passage], stage: RerankStage | None, trace: Trace) -> Selected:
        if stage is None:
            with trace.stage("select"):
                return self.selection.best(pool, query.top_k)
        distinct = replace(self.selection, per_document=0).best(pool, len(pool))
        reranked = stage.apply(trace.translation or query.question, distinct.passages, trace)
        best = self.selection.best(reranked, query.top_k)
        return best._replace(collapsed=distinct.collapsed)


def _unknown(kind: str, given: str, allowed: Iterable[str]) -> str:
    return f"unknown {kind} {given!r}; allowed here are {', '.join(allowed)}"
