"""Faithfulness, as ragas defines it."""

from __future__ import annotations

from typing import ClassVar

from ragstone.evaluation.metrics.base import NO_PASSAGES, REFUSED, Case, MetricKind, Tools, metrics
from ragstone.evaluation.scores import Score


@metrics.register("faithfulness")
class Faithfulness:
    """The share of an answer's statements that its passages support (Es et al. 2023, "RAGAS")."""

    kind: ClassVar[MetricKind] = MetricKind.JUDGED

    def __init__(self, tools: Tools) -> None:
        self.ragas = tools.ragas

    async def score(self, case: Case) -> Score:
        if case.answer.refused:
            return Score.skipped(REFUSED)
        if not case.contexts:
            return Score.of(0.0, NO_PASSAGES)
        return await self.ragas.judged(
            "Faithfulness",
            user_input=case.item.question,
            response=case.answer.text,
            retrieved_contexts=case.contexts,
        )
