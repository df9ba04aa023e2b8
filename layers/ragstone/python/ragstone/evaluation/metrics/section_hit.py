"""Section hit at k."""

from __future__ import annotations

import asyncio
from typing import ClassVar

from ragstone.evaluation.metrics.base import UNANSWERABLE, Case, MetricKind, Tools, metrics
from ragstone.evaluation.scores import Score

NO_SECTION = "the item's gold names neither a section nor a quote"


@metrics.register("section_hit@k")
class SectionHit:
    """1 if one of the first k passages is of a section that gold names or that holds a gold quote.

    A strategy that gives the answerer more of the text around a hit can do well here with a hit beside the quote.
    """

    kind: ClassVar[MetricKind] = MetricKind.RETRIEVAL

    def __init__(self, tools: Tools) -> None:
        self._k = tools.k

    async def score(self, case: Case) -> Score:
        if not case.item.answerable:
            return Score.skipped(UNANSWERABLE)
        if not any(entry.section or entry.quote for entry in case.item.gold):
            return Score.skipped(NO_SECTION)
        return Score.of(float(await asyncio.to_thread(self._hits, case)))

    def _hits(self, case: Case) -> bool:
        chunks = [passage.chunk for passage in case.answer.passages[: self._k]]
        return any(case.sections.holds(chunk, entry) for chunk in chunks for entry in case.item.gold)
