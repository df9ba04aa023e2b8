"""What model calls cost, from the list prices in `prices.toml`."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from ragstone.types import TokenUsage


@dataclass(frozen=True, slots=True)
class Price:
    """US dollars per million tokens, for prompts of at most `up_to` tokens."""

    input: float
    output: float
    up_to: int | None = None

    def cost(self, usage: TokenUsage) -> float | None:
        if self.up_to is not None and usage.input_tokens > self.up_to:
            return None
        return (usage.input_tokens * self.input + usage.output_tokens * self.output) / 1_000_000


def cost_usd(usage: Iterable[TokenUsage]) -> float | None:
    """The cost of some calls in US dollars; None as soon as one of them is of unknown price or was not counted."""
    costs = [_cost(call) for call in usage]
    known = [cost for cost in costs if cost is not None]
    return sum(known) if len(known) == len(costs) else None


def price_of(spec: str) -> Price | None:
    """A model's own price or its provider's; None if neither is known, as for Ollama's models in its paid cloud."""
    provider, _, model = spec.partition(":")
    return prices().get(spec) or (None if model.endswith("cloud") else prices().get(provider))


def _cost(call: TokenUsage) -> float | None:
    price = price_of(call.model)
    if price is None or (price.input and not call.input_tokens):
        return None
    return price.cost(call)


@cache
def prices() -> Mapping[str, Price]:
    """List prices by model spec, or by provider."""
    table = tomllib.loads(files("ragstone").joinpath("prices.toml").read_text())
    return {spec: Price(**price) for spec, price in table["models"].items()}
