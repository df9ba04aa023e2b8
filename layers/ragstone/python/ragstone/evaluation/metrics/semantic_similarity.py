"""Semantic similarity, as ragas defines it."""

from __future__ import annotations

from ragstone.evaluation.metrics.base import ReferenceMetric, metrics
from ragstone.evaluation.scores import Score


@metrics.register("semantic_similarity")
class SemanticSimilarity(ReferenceMetric):
    """Cosine similarity of answer and reference (Risch et al. 2021), by one embedder for all variants."""

    async def compare(self, response: str, reference: str) -> Score:
        return await self.ragas.similarity(reference=reference, response=response)
