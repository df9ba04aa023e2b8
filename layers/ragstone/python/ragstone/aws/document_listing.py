"""Listing the documents table by source, a page at a time."""

from __future__ import annotations

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from boto3.dynamodb.conditions import Attr, ConditionBase, Key
from pydantic import BaseModel, ConfigDict, Field

from ragstone.aws.paging import Item, ItemPage, read_page
from ragstone.errors import InvalidQuery
from ragstone.types import DocumentFilter

BY_SOURCE = "by_source"
MOST_READS = 20
"""Queries for one page: a filter that hardly anything passes would read the whole table for it."""

READ_AT_ONCE = 1_000
BAD_CURSOR = "The cursor is not one that this listing returned; start without one."


class _Place(BaseModel):
    """The key of an item in the index by source."""

    model_config = ConfigDict(extra="forbid")

    pk: Annotated[str, Field(min_length=1)]
    namespace: str
    source: Annotated[str, Field(min_length=1)]


def page(table: Any, namespace: str, *, limit: int, cursor: str | None, where: DocumentFilter) -> ItemPage:
    """At most `limit` items that pass.

    After MOST_READS the page is left short, with a cursor. Raises InvalidQuery for a cursor from elsewhere.
    """
    request = _request(namespace, where, limit)
    start = _decoded(cursor, namespace, where.prefix) if cursor else None

    def read(key: Item | None) -> Any:
        return table.query(IndexName=BY_SOURCE, **request, **({"ExclusiveStartKey": key} if key else {}))

    return read_page(read, limit=limit, start=start, most_reads=MOST_READS, encoded=_encoded)


def _request(namespace: str, where: DocumentFilter, limit: int) -> dict[str, Any]:
    key: ConditionBase = Key("namespace").eq(namespace)
    if where.prefix:
        key = key & Key("source").begins_with(where.prefix)
    condition = _condition(where)
    if condition is None:
        return {"KeyConditionExpression": key, "Limit": limit}
    return {"KeyConditionExpression": key, "Limit": READ_AT_ONCE, "FilterExpression": condition}


def _condition(where: DocumentFilter) -> ConditionBase | None:
    has_status = None if where.status is None else Attr("status").eq(where.status.value)
    is_readable = None if where.groups is None else _is_readable(where.groups)
    return has_status & is_readable if has_status and is_readable else has_status or is_readable


def _is_readable(groups: Sequence[str]) -> ConditionBase:
    condition: ConditionBase = Attr("acl").not_exists() | Attr("acl").size().eq(0)
    for group in groups:
        condition = condition | Attr("acl").contains(group)
    return condition


def _decoded(cursor: str, namespace: str, prefix: str) -> dict[str, str]:
    """DynamoDB refuses to start outside of what it is asked for."""
    try:
        place = _Place.model_validate_json(urlsafe_b64decode(cursor))
    except ValueError as error:
        raise InvalidQuery("bad_cursor", BAD_CURSOR) from error
    if place.namespace != namespace or not place.source.startswith(prefix):
        raise InvalidQuery("bad_cursor", BAD_CURSOR)
    return place.model_dump()


def _encoded(item: Mapping[str, Any]) -> str:
    return urlsafe_b64encode(json.dumps({name: item[name] for name in _Place.model_fields}).encode()).decode()
