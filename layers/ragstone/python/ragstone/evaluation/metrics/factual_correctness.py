"""Factual correctness, as ragas defines it."""

from __future__ import annotations

import asyncio
from typing import ClassVar

from ragstone.evaluation.metrics.base import MetricKind, ReferenceMetric, metrics
from ragstone.evaluation.scores import Score


@metrics.register("factual_correctness")
class FactualCorrectness(ReferenceMetric):
    """F1 of the answer's claims against the reference and the reference's claims against the answer.

    The recall of ragas 0.4.3 counts the answer's supported claims where it should count the reference's, and its F1
    with it. Its precision is right, so recall is taken as the precision of the reference against the answer.
    """

    kind: ClassVar[MetricKind] = MetricKind.JUDGED

    async def compare(self, response: str, reference: str) -> Score:
        precision, recall = await asyncio.gather(
            self._precision(response, reference), self._precision(reference, response)
        )
        if precision.value is None or recall.value is None:
            return precision if precision.value is None else recall
        total = precision.value + recall.value
        f1 = 2 * precision.value * recall.value / total if total else 0.0
        return Score.of(f1, f"precision {precision.value:g}, recall {recall.value:g}")

    async def _precision(self, claimed: str, truth: str) -> Score:
        return await self.ragas.judged(
            "FactualCorrectness", options={"mode": "precision"}, response=claimed, reference=truth
        )
