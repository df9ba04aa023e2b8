"""Sums up tokens and costs."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from ragstone.evaluation.report import TokenCount, UsageSummary
from ragstone.pricing import cost_usd
from ragstone.types import TokenUsage


@dataclass(slots=True)
class Ledger:
    """Adds up model calls as results pass by."""

    tokens: dict[str, TokenCount] = field(default_factory=dict[str, TokenCount])
    cost_usd: float | None = 0.0

    def add(self, calls: Iterable[TokenUsage]) -> None:
        for call in calls:
            before = self.tokens.get(call.model, TokenCount(0, 0, 0))
            self.tokens[call.model] = TokenCount(
                before.input + call.input_tokens, before.output + call.output_tokens, before.calls + 1
            )
            cost = cost_usd([call])
            self.cost_usd = None if self.cost_usd is None or cost is None else self.cost_usd + cost

    def summary(self) -> UsageSummary:
        return UsageSummary(self.tokens, None if self.cost_usd is None else round(self.cost_usd, 6))
