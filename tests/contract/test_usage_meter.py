"""What every usage meter keeps to: the fake in memory and DynamoDB's, on MiniStack."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

import pytest

from ragstone.aws.owner_items import OwnerItems
from ragstone.aws.usage import DynamoUsageMeter
from ragstone.budgets import UsageMeter
from tests.support.fake_meter import FakeMeter
from tests.support.fixtures_ministack import Account
from tests.support.tables import CONVERSATIONS_TABLE, create_conversations_table

TOMORROW = datetime.now(UTC) + timedelta(days=1)


@pytest.fixture(params=["fake", "dynamodb"])
def meter(request: pytest.FixtureRequest) -> UsageMeter:
    if request.param == "fake":
        return FakeMeter()
    account: Account = request.getfixturevalue("account")
    create_conversations_table(account)
    return DynamoUsageMeter(OwnerItems(account.resource("dynamodb"), table=CONVERSATIONS_TABLE, ttl_days=1))


def test_a_counter_begins_at_nothing(meter: UsageMeter) -> None:
    assert meter.total("tokens#a") == 0


def test_counters_count_apart(meter: UsageMeter) -> None:
    assert meter.add("tokens#a", 5, until=TOMORROW) == 5
    assert meter.add("tokens#a", 7, until=TOMORROW) == 12
    assert meter.add("tokens#b", 1, until=TOMORROW) == 1
    assert meter.total("tokens#a") == 12


def test_nothing_counted_at_once_is_lost(meter: UsageMeter) -> None:
    with ThreadPoolExecutor(8) as pool:
        totals = list(pool.map(lambda _: meter.add("requests#a", 1, until=TOMORROW), range(40)))
    assert sorted(totals) == list(range(1, 41))
