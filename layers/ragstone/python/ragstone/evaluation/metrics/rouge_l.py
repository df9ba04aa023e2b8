"""ROUGE-L, as ragas defines it."""

from __future__ import annotations

from ragstone.evaluation.metrics.base import ReferenceMetric, metrics
from ragstone.evaluation.scores import Score


@metrics.register("rouge_l")
class RougeL(ReferenceMetric):
    """F-measure of the longest common subsequence of stemmed words (Lin 2004)."""

    async def compare(self, response: str, reference: str) -> Score:
        return await self.ragas.compared("RougeScore", reference=reference, response=response)
