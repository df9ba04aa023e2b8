"""DynamoDB behind the AnswerCache port: answers beside what callers own, gone by themselves after a while."""

from __future__ import annotations

import time
import zlib
from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from operator import mul
from struct import calcsize, pack, unpack

from pydantic import TypeAdapter, ValidationError

from ragstone.aws.owner_items import Item, Listing, OwnerItems
from ragstone.types import CachedAnswer, Vector

ANSWER, SCOPE, ASKED = "answer#", "answers#", "asked#"
BODY, VECTOR, KEY = "body", "vector", "key"
LARGEST_BODY = 390_000
"""Bytes; an item of DynamoDB has at most 400 KB, its key and other attributes among them."""

MOST_COMPARED = 300
"""Questions of one scope, the newest."""

MOST_TRIED = 5
"""Near questions whose answers are looked for: those of changed documents are removed, their questions expire."""


class DynamoAnswerCache:
    """An answer is one item, found by its key; its question's vector is another, found by scope, as float32.

    Entries last `seconds`. An answer too large for an item is not kept; one of another release is as good as gone.
    Entries come back without their vectors.
    """

    def __init__(self, items: OwnerItems, *, seconds: int) -> None:
        self._items = items
        self._seconds = seconds

    def get(self, key: str) -> CachedAnswer | None:
        item = self._items.get(ANSWER + key, ANSWER)
        return _unpacked(bytes(item[BODY])) if item else None

    def nearest(self, scope: str, vector: Vector, *, at_least: float) -> CachedAnswer | None:
        asked = self._items.page(Listing(value=SCOPE + scope, prefix=ASKED, forward=False), limit=MOST_COMPARED).items
        near = sorted(((_cosine(item, vector), item[KEY]) for item in asked), reverse=True)
        keys = dict.fromkeys(key for cosine, key in near if cosine >= at_least)
        return _first(self.get(key) for key in list(keys)[:MOST_TRIED])

    def put(self, entry: CachedAnswer) -> None:
        body = _packed(entry)
        if len(body) > LARGEST_BODY:
            return
        expires_at = int(time.time()) + self._seconds
        self._items.put(ANSWER + entry.key, ANSWER, {BODY: body}, expires_at=expires_at)
        if entry.vector:
            values = {KEY: entry.key, VECTOR: pack(f"<{len(entry.vector)}f", *entry.vector)}
            asked = f"{ASKED}{time.time_ns():020d}#{entry.key}"
            self._items.put(SCOPE + entry.scope, asked, values, expires_at=expires_at)

    def remove(self, key: str) -> None:
        self._items.delete(ANSWER + key, ANSWER)


@cache
def _entries() -> TypeAdapter[CachedAnswer]:
    """Made when the first answer is kept or found, not at import: it describes every type of an answer."""
    return TypeAdapter(CachedAnswer)


def _packed(entry: CachedAnswer) -> bytes:
    return zlib.compress(_entries().dump_json(replace(entry, vector=())))


def _unpacked(body: bytes) -> CachedAnswer | None:
    try:
        return replace(_entries().validate_json(zlib.decompress(body)), vector=())
    except ValidationError:
        return None


def _cosine(item: Item, vector: Vector) -> float:
    """Of unit-length vectors."""
    content = bytes(item[VECTOR])
    return sum(map(mul, unpack(f"<{len(content) // calcsize('<f')}f", content), vector))


def _first(entries: Iterable[CachedAnswer | None]) -> CachedAnswer | None:
    return next((entry for entry in entries if entry), None)
