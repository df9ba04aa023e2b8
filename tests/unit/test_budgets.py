from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from ragstone.budgets import Budgets
from ragstone.errors import OverBudget
from tests.support.fake_meter import FakeMeter

EVENING = datetime(2026, 1, 31, 18, tzinfo=UTC)


def test_a_caller_is_refused_after_so_many_requests_until_the_minute_is_over() -> None:
    moment = datetime(2026, 1, 31, 23, 59, 15, tzinfo=UTC)
    budgets = Budgets(meter=FakeMeter(), requests_a_minute=2, clock=lambda: moment)
    budgets.admit("a")
    budgets.admit("a")
    with pytest.raises(OverBudget, match="2 requests a minute") as refused:
        budgets.admit("a")
    assert refused.value.retry_after_seconds == 45
    budgets.admit("b")
    replace(budgets, clock=lambda: moment + timedelta(seconds=45)).admit("a")


def test_each_caller_has_a_budget_of_their_own() -> None:
    budgets = Budgets(meter=FakeMeter(), tokens_a_day=100)
    budgets.spend("a", 100)
    with pytest.raises(OverBudget, match="100 tokens a day of yours"):
        budgets.admit("a")
    budgets.admit("b")


def test_all_callers_share_the_budget_of_all() -> None:
    budgets = Budgets(meter=FakeMeter(), tokens_a_day=1_000, tokens_a_day_in_all=100, clock=lambda: EVENING)
    budgets.spend("a", 60)
    budgets.admit("b")
    budgets.spend("b", 40)
    with pytest.raises(OverBudget, match="of all callers together") as refused:
        budgets.admit("c")
    assert refused.value.retry_after_seconds == 6 * 3_600


def test_a_new_day_has_a_budget_of_its_own() -> None:
    budgets = Budgets(meter=FakeMeter(), tokens_a_day=100, clock=lambda: EVENING)
    budgets.spend("a", 100)
    replace(budgets, clock=lambda: EVENING + timedelta(hours=6)).admit("a")


def test_without_limits_nothing_is_counted() -> None:
    meter = FakeMeter()
    budgets = Budgets(meter=meter)
    budgets.admit("a")
    budgets.spend("a", 10_000)
    assert not meter.counters
