"""String similarity, as ragas defines it."""

from __future__ import annotations

from ragstone.evaluation.metrics.base import ReferenceMetric, metrics
from ragstone.evaluation.scores import Score


@metrics.register("string_similarity")
class StringSimilarity(ReferenceMetric):
    """1 - Levenshtein distance / length of the longer text (ragas' non-LLM string similarity)."""

    async def compare(self, response: str, reference: str) -> Score:
        return await self.ragas.compared("NonLLMStringSimilarity", reference=reference, response=response)
