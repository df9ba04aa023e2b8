"""The retriever that settings ask for."""

from __future__ import annotations

from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import Protocol

from ragstone.ports import Reranker
from ragstone.retrieval.base import Tools, strategies
from ragstone.retrieval.rerank import RerankStage
from ragstone.retrieval.retriever import NO_RERANKER, StagedRetriever
from ragstone.retrieval.selection import Selection
from ragstone.settings import Settings

THREADS = 8


class BuildReranker(Protocol):
    """From a spec to the reranker, each of whose calls may take so long."""

    def __call__(self, spec: str, *, seconds: float) -> Reranker: ...


def staged_retriever(settings: Settings, tools: Tools, reranker: BuildReranker) -> StagedRetriever:
    """With all strategies and rerankers that queries may choose; raises SettingsError for one that is not known."""
    threads = ThreadPoolExecutor(THREADS, thread_name_prefix="rerank")

    def stage(spec: str) -> RerankStage:
        made = reranker(spec, seconds=settings.rerank_seconds)
        return RerankStage(reranker=made, threads=threads, depth=settings.rerank_depth, seconds=settings.rerank_seconds)

    return StagedRetriever(
        strategies={
            name: strategies[name](settings, tools) for name in _each(settings.strategy, settings.strategies_allowed)
        },
        strategy=settings.strategy,
        selection=Selection(per_document=settings.max_chunks_per_document, collapse=settings.collapse_duplicates),
        rerankers={spec: stage(spec) for spec in _each(settings.reranker, settings.rerankers_allowed)},
        reranker=settings.reranker,
    )


def _each(own: str, allowed: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(name for name in (own, *allowed) if name not in ("", NO_RERANKER)))
