"""DynamoDB behind the VectorCache port: one item a vector, gone by itself after a while."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from itertools import islice
from struct import calcsize, pack, unpack
from typing import Any

from ragstone.aws.failures import translated
from ragstone.errors import TransientError
from ragstone.types import Vector

KEY, VECTOR, EXPIRES_AT = "key", "vector", "expires_at"
BATCH_GET_LIMIT, BATCH_WRITE_LIMIT = 100, 25
ATTEMPTS = 6
FIRST_PAUSE_SECONDS = 0.1
SECONDS_PER_DAY = 86_400

ADVICE = {
    "AccessDeniedException": "grant dynamodb:BatchGetItem and dynamodb:BatchWriteItem on it",
    "ResourceNotFoundException": "there is no such table in this region; check RAGSTONE_EMBEDDING_CACHE_TABLE",
    "ValidationException": f"its partition key must be {KEY!r}, a string, and it must have no sort key",
}


class DynamoVectorCache:
    """`resource` is boto3's DynamoDB resource; the table's time to live is on `expires_at`.

    A vector is stored as little-endian float32.
    """

    def __init__(
        self, resource: Any, *, table: str, ttl_days: int, sleep: Callable[[float], None] = time.sleep
    ) -> None:
        self._resource = resource
        self._table = table
        self._ttl_seconds = ttl_days * SECONDS_PER_DAY
        self._sleep = sleep

    def get(self, keys: Sequence[str]) -> Mapping[str, Vector]:
        wanted = iter([{KEY: key} for key in dict.fromkeys(keys)])
        with self._failures():
            items = [item for batch in _batches(wanted, BATCH_GET_LIMIT) for item in self._read(batch)]
        return {item[KEY]: _unpacked(bytes(item[VECTOR])) for item in items}

    def put(self, vectors: Mapping[str, Vector]) -> None:
        expires_at = int(time.time()) + self._ttl_seconds
        items = ({KEY: key, VECTOR: _packed(vector), EXPIRES_AT: expires_at} for key, vector in vectors.items())
        with self._failures():
            for batch in _batches(({"PutRequest": {"Item": item}} for item in items), BATCH_WRITE_LIMIT):
                self._write(batch)

    def _read(self, keys: list[Any]) -> Iterator[dict[str, Any]]:
        for _ in self._attempts():
            reply = self._resource.batch_get_item(RequestItems={self._table: {"Keys": keys}})
            yield from reply["Responses"].get(self._table, [])
            keys = reply.get("UnprocessedKeys", {}).get(self._table, {}).get("Keys", [])
            if not keys:
                return

    def _write(self, requests: list[Any]) -> None:
        for _ in self._attempts():
            reply = self._resource.batch_write_item(RequestItems={self._table: requests})
            requests = reply.get("UnprocessedItems", {}).get(self._table, [])
            if not requests:
                return

    def _attempts(self) -> Iterator[int]:
        """Ends in TransientError, since a caller leaves the loop as soon as nothing is left of its batch."""
        yield 0
        for attempt in range(1, ATTEMPTS):
            self._sleep(FIRST_PAUSE_SECONDS * 2 ** (attempt - 1) * random.uniform(0.5, 1))  # noqa: S311 - jitter needs no secrecy
            yield attempt
        raise TransientError(f"the table {self._table} is throttled; try again in a moment")

    def _failures(self) -> AbstractContextManager[None]:
        return translated(f"the table {self._table}", ADVICE)


def _batches(entries: Iterator[Any], size: int) -> Iterator[list[Any]]:
    while batch := list(islice(entries, size)):
        yield batch


def _packed(vector: Vector) -> bytes:
    return pack(f"<{len(vector)}f", *vector)


def _unpacked(content: bytes) -> Vector:
    return list(unpack(f"<{len(content) // calcsize('<f')}f", content))
