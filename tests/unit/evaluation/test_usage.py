"""Adding up tokens and costs."""

from __future__ import annotations

import pytest

from ragstone.evaluation.report import TokenCount
from ragstone.evaluation.usage import Ledger
from ragstone.pricing import prices
from ragstone.types import TokenUsage

PRICED = next(spec for spec, price in prices().items() if price.input and price.output and price.up_to is None)


def test_tokens_are_added_up_by_model() -> None:
    ledger = Ledger()
    ledger.add([TokenUsage(PRICED, 100, 20), TokenUsage(PRICED, 50, 10)])
    ledger.add([TokenUsage("own:model", 7, 1)])
    assert ledger.summary().tokens == {PRICED: TokenCount(150, 30, 2), "own:model": TokenCount(7, 1, 1)}


def test_costs_are_added_up() -> None:
    ledger = Ledger()
    ledger.add([TokenUsage(PRICED, 1_000_000, 1_000_000)] * 2)
    price = prices()[PRICED]
    assert ledger.summary().cost_usd == pytest.approx(2 * (price.input + price.output))


def test_one_call_of_unknown_price_makes_the_sum_unknown() -> None:
    ledger = Ledger()
    ledger.add([TokenUsage(PRICED, 100, 20), TokenUsage("own:model", 7, 1)])
    ledger.add([TokenUsage(PRICED, 100, 20)])
    assert ledger.summary().cost_usd is None


def test_no_calls_cost_nothing() -> None:
    assert Ledger().summary().cost_usd == 0.0
