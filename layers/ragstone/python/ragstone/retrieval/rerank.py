"""Reranking as a stage on any strategy: what a model that reads question and text together makes of the best."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from math import isfinite

from ragstone.errors import PermanentError, TransientError
from ragstone.ports import Reranker
from ragstone.retrieval.trace import Trace
from ragstone.types import Passage


@dataclass(frozen=True, slots=True, kw_only=True)
class RerankStage:
    """Reorders the first `depth` passages by the reranker's scores, ties by the order that they had.

    The fused order stands when the reranker fails or takes longer than `seconds`; the evidence then says so.
    """

    reranker: Reranker
    threads: Executor
    depth: int
    seconds: float

    def apply(self, question: str, passages: Sequence[Passage], trace: Trace) -> list[Passage]:
        first, rest = list(passages[: self.depth]), passages[self.depth :]
        with trace.stage("rerank"):
            scores = self._scores(question, [passage.chunk.shown_text for passage in first], trace) if first else ()
        if not scores:
            return list(passages)
        scored = [replace(passage, rerank_score=score) for passage, score in zip(first, scores, strict=True)]
        return [*sorted(scored, key=lambda passage: -(passage.rerank_score or 0.0)), *rest]

    def _scores(self, question: str, texts: Sequence[str], trace: Trace) -> tuple[float, ...]:
        """A score for each text; none if there were none in time."""
        call = self.threads.submit(self.reranker.rerank, question, texts)
        try:
            reranking = call.result(timeout=self.seconds)
        except TimeoutError:
            call.cancel()
            trace.degraded.append(f"{self.reranker.spec} took longer than {self.seconds:g} s: not reranked")
            return ()
        except (TransientError, PermanentError) as error:
            trace.degraded.append(f"not reranked: {error}")
            return ()
        trace.usage.extend(reranking.usage)
        if len(reranking.scores) != len(texts) or not all(map(isfinite, reranking.scores)):
            trace.degraded.append(f"not reranked: {self.reranker.spec} did not give each of {len(texts)} texts a score")
            return ()
        return reranking.scores
