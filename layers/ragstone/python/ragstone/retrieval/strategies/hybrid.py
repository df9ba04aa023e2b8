"""Words and vectors, fused: the default, and what the other strategies search with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from ragstone.retrieval.base import Tools, strategies
from ragstone.retrieval.candidates import Candidates
from ragstone.retrieval.fusion import FUSIONS, Normalise, fuse
from ragstone.retrieval.trace import Trace
from ragstone.settings import Settings
from ragstone.types import Filter, Passage, Query


@dataclass(frozen=True, slots=True, kw_only=True)
class Hybrid:
    """Both legs by the weighted mean of their normalised scores."""

    candidates: Candidates
    lexical_weight: float
    normalise: Normalise

    @classmethod
    def of(cls, settings: Settings, tools: Tools) -> Self:
        normalise = FUSIONS[settings.fusion]
        return cls(candidates=tools.candidates, lexical_weight=tools.lexical_weight, normalise=normalise)

    def find(self, query: Query, trace: Trace) -> list[Passage]:
        return self.search(query, trace)

    def search(self, query: Query, trace: Trace, *, text: str = "", filters: Sequence[Filter] = ()) -> list[Passage]:
        """The same for other words than the question's, or within further filters."""
        legs = self.candidates.search(query, trace, text=text, filters=filters)
        with trace.stage("fuse"):
            return fuse(legs, lexical_weight=self.lexical_weight, normalise=self.normalise)

    def widen(self, passages: Sequence[Passage], query: Query, trace: Trace) -> list[Passage]:
        return list(passages)


strategies.register("hybrid")(Hybrid.of)
