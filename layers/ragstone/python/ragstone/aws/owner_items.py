"""One DynamoDB table of what belongs to callers: a partition an owner, each item gone by itself after a while."""

from __future__ import annotations

import json
import time
from base64 import urlsafe_b64decode, urlsafe_b64encode
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import partial
from typing import Any

from boto3.dynamodb.conditions import Attr, ConditionBase, Key
from botocore.exceptions import ClientError
from pydantic import TypeAdapter

from ragstone.aws.failures import code_of, translated
from ragstone.aws.paging import Item, ItemPage, read_page
from ragstone.errors import InvalidQuery

PK, SK, EXPIRES_AT = "pk", "sk", "expires_at"
SECONDS_PER_DAY = 86_400
MOST_READS = 10
"""Of one page: a rare match leaves it short, with a cursor."""

READ_AT_ONCE = 100
BAD_CURSOR = "This cursor is none that this listing gave; leave it out to begin anew."

_KEY = TypeAdapter(dict[str, str])


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing:
    """A partition of the table or of one of its indexes, in the order of its sort key, which begins with `prefix`."""

    value: str
    prefix: str = ""
    index: str | None = None
    partition: str = PK
    sort: str = SK
    forward: bool = True

    def request(self) -> dict[str, Any]:
        condition: ConditionBase = Key(self.partition).eq(self.value)
        if self.prefix:
            condition = condition & Key(self.sort).begins_with(self.prefix)
        place = {"IndexName": self.index} if self.index else {"ConsistentRead": True}
        return {"KeyConditionExpression": condition, "ScanIndexForward": self.forward, **place}

    def encoded(self, item: Item) -> str:
        return urlsafe_b64encode(json.dumps({name: item[name] for name in self._names()}).encode()).decode()

    def decoded(self, cursor: str) -> Item:
        """DynamoDB refuses to start outside of what it is asked for."""
        try:
            key = _KEY.validate_json(urlsafe_b64decode(cursor))
        except ValueError as error:
            raise InvalidQuery("bad_cursor", BAD_CURSOR) from error
        ours = set(key) == self._names() and key[self.partition] == self.value
        if not ours or not key[self.sort].startswith(self.prefix):
            raise InvalidQuery("bad_cursor", BAD_CURSOR)
        return key

    def _names(self) -> set[str]:
        return {PK, SK, self.partition, self.sort}


class OwnerItems:
    """The table, with sort keys that begin with the kind of an item; what has expired is as good as gone.

    `resource` is boto3's DynamoDB resource. DynamoDB removes expired items within days.
    """

    def __init__(self, resource: Any, *, table: str, ttl_days: int) -> None:
        self._table = resource.Table(table)
        self._name = table
        self._seconds = ttl_days * SECONDS_PER_DAY

    def put(self, pk: str, sk: str, values: Item, *, expires_at: int | None = None) -> None:
        with self._failures():
            self._table.put_item(Item={**values, PK: pk, SK: sk, EXPIRES_AT: expires_at or self.expiry()})

    def get(self, pk: str, sk: str) -> Item | None:
        with self._failures():
            item = self._table.get_item(Key={PK: pk, SK: sk}, ConsistentRead=True).get("Item")
        return item if item and item[EXPIRES_AT] > time.time() else None

    def update(self, pk: str, sk: str, values: Item, *, count: str | None = None) -> Item | None:
        """Set values of an item that is there and prolong its life, counting one attribute up; None if it isn't."""
        values = {**values, EXPIRES_AT: self.expiry()}
        names = {f"#{at}": name for at, name in enumerate(values)}
        sets = ", ".join(f"#{at} = :{at}" for at in range(len(values)))
        request: dict[str, Any] = {
            "Key": {PK: pk, SK: sk},
            "UpdateExpression": f"SET {sets}" + (" ADD #count :one" if count else ""),
            "ConditionExpression": Attr(PK).exists() & Attr(EXPIRES_AT).gt(int(time.time())),
            "ExpressionAttributeNames": {**names, **({"#count": count} if count else {})},
            "ExpressionAttributeValues": {
                **{f":{at}": value for at, value in enumerate(values.values())},
                **({":one": 1} if count else {}),
            },
            "ReturnValues": "ALL_NEW",
        }
        with self._failures():
            try:
                return self._table.update_item(**request)["Attributes"]
            except ClientError as error:
                if code_of(error) == "ConditionalCheckFailedException":
                    return None
                raise

    def add(self, pk: str, sk: str, counter: str, amount: int, *, expires_at: int) -> int:
        """Count up an attribute of an item, which is made if it isn't there; the new total."""
        with self._failures():
            reply = self._table.update_item(
                Key={PK: pk, SK: sk},
                UpdateExpression="SET #expires = :expires ADD #counter :amount",
                ExpressionAttributeNames={"#expires": EXPIRES_AT, "#counter": counter},
                ExpressionAttributeValues={":expires": expires_at, ":amount": amount},
                ReturnValues="UPDATED_NEW",
            )
        return int(reply["Attributes"][counter])

    def delete(self, pk: str, *sort_keys: str) -> None:
        with self._failures(), self._table.batch_writer() as batch:
            for sk in sort_keys:
                batch.delete_item(Key={PK: pk, SK: sk})

    def page(
        self, listing: Listing, *, limit: int, cursor: str | None = None, where: ConditionBase | None = None
    ) -> ItemPage:
        """At most `limit` items; raises InvalidQuery for a cursor from elsewhere."""
        start = listing.decoded(cursor) if cursor else None
        read = partial(self._query, listing, where)
        return read_page(read, limit=limit, start=start, most_reads=MOST_READS, encoded=listing.encoded)

    def _query(self, listing: Listing, where: ConditionBase | None, start: Item | None) -> Any:
        alive = Attr(EXPIRES_AT).gt(int(time.time()))
        with self._failures():
            return self._table.query(
                **listing.request(),
                FilterExpression=alive & where if where else alive,
                Limit=READ_AT_ONCE,
                **({"ExclusiveStartKey": start} if start else {}),
            )

    def expiry(self) -> int:
        return int(time.time()) + self._seconds

    def _failures(self) -> AbstractContextManager[None]:
        return translated(f"the table {self._name}")
