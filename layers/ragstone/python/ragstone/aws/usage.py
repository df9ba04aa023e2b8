"""DynamoDB behind the UsageMeter port: atomic counters that expire."""

from __future__ import annotations

from datetime import datetime, timedelta

from ragstone.aws.owner_items import OwnerItems

KIND, TOTAL = "usage", "total"
KEPT = timedelta(days=1)
"""Beyond the time that a counter is for, in case clocks differ."""


class DynamoUsageMeter:
    def __init__(self, items: OwnerItems) -> None:
        self._items = items

    def add(self, counter: str, amount: int, *, until: datetime) -> int:
        return self._items.add(_key(counter), KIND, TOTAL, amount, expires_at=int((until + KEPT).timestamp()))

    def total(self, counter: str) -> int:
        item = self._items.get(_key(counter), KIND)
        return int(item[TOTAL]) if item else 0


def _key(counter: str) -> str:
    return f"{KIND}#{counter}"
