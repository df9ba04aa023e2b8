"""Pages of a DynamoDB query: it filters after it has read, so a page takes as many reads as it needs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

Item = Mapping[str, Any]


class ItemPage(NamedTuple):
    """Items of a table, and the cursor that goes on after them."""

    items: list[Item]
    cursor: str | None


def read_page(
    read: Callable[[Item | None], Any],
    *,
    limit: int,
    start: Item | None,
    most_reads: int,
    encoded: Callable[[Item], str],
) -> ItemPage:
    """At most `limit` of the items that `read` finds after a key; after so many reads the page is left short.

    `encoded` makes the cursor that goes on after an item.
    """
    found: list[Item] = []
    for _ in range(most_reads):
        reply = read(start)
        found += reply["Items"]
        start = reply.get("LastEvaluatedKey")
        if len(found) > limit or (len(found) == limit and start):
            return ItemPage(found[:limit], encoded(found[limit - 1]))
        if start is None:
            return ItemPage(found, None)
    return ItemPage(found, encoded(start or {}))
