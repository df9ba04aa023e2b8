"""What filters can ask of a chunk, as a flat list of strings, so that every index filters alike.

A metadata name needs no column of its own: each value becomes facts of one multi-valued field, the name quoted as
in JSON. Year 2024 is `"metadata.year"` (it exists), `"metadata.year"=2024` (its text) and
`"metadata.year"#c09fa00000000000` (its place among numbers, as hexadecimal digits that sort like the numbers);
dates have `@`, and the members of a list `+` in place of `=`.

One field serves declared and undeclared names alike: a mapping would need a typed field for each declared name, so
that a change of the schema needed a new index, and a flat object for the rest, which has no ranges and which the index
on disk lacks.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from ragstone.entities import entities_of
from ragstone.errors import InvalidQuery
from ragstone.filters import ENTITY, METADATA, as_order, as_text
from ragstone.types import Chunk, ChunkKind, Filter, FilterOp, MetadataValue

_MARKS = {"number": "#", "date": "@"}
# Far below the longest term that Lucene takes (32,766 bytes); longer values are compared by their beginning.
_LONGEST = 2_000


@dataclass(frozen=True, slots=True)
class HasAny:
    """True if the chunk has one of these facts."""

    facts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class HasText:
    """True if `text` is part of the fact that starts with `prefix`, or if the chunk has the fact `member`."""

    prefix: str
    text: str
    member: str


@dataclass(frozen=True, slots=True)
class HasOrder:
    """True if the fact that starts with `prefix` stands after, before or at `key` as `op` (gt, gte, lt, lte) says."""

    prefix: str
    op: FilterOp
    key: str


@dataclass(frozen=True, slots=True)
class Condition:
    """A filter put in terms of facts."""

    test: HasAny | HasText | HasOrder
    negated: bool = False


def facts(chunk: Chunk) -> list[str]:
    """All facts of a chunk, its own fields first."""
    fields: dict[str, MetadataValue | None] = {
        "source": chunk.source,
        "title": chunk.title,
        "language": chunk.language,
        "kind": chunk.kind,
        "back_matter": chunk.is_back_matter,
        ENTITY: () if chunk.kind is ChunkKind.PARENT else entities_of(chunk.text, chunk.language),
        **{f"{METADATA}{name}": value for name, value in chunk.metadata.items()},
    }
    return [fact for name, value in fields.items() if value is not None for fact in _facts_of(name, value)]


def condition(given: Filter) -> Condition:
    """The test that a filter stands for; raises InvalidQuery for a range without a number or a date."""
    name, value = given.field, given.value
    match given.op:
        case FilterOp.EQ | FilterOp.IN | FilterOp.NE | FilterOp.NOT_IN:
            values = value if isinstance(value, tuple) else (value,)
            return Condition(_equals(name, values), negated=given.op in (FilterOp.NE, FilterOp.NOT_IN))
        case FilterOp.CONTAINS:
            return Condition(_contains(given))
        case FilterOp.EXISTS:
            return Condition(HasAny((_quoted(name),)), negated=not value)
        case _:
            return Condition(_ordered(given))


def _facts_of(name: str, value: MetadataValue) -> Iterator[str]:
    if isinstance(value, tuple):
        yield from [_quoted(name)] if value else []
        yield from (_member(name, item) for item in value)
        return
    yield _quoted(name)
    yield _scalar(name, as_text(value))
    if order := as_order(value):
        yield _quoted(name) + _MARKS[order.unit] + _sortable(order.value)


def _equals(name: str, values: tuple[str | int | float | bool, ...]) -> HasAny:
    texts = [as_text(value) for value in values]
    return HasAny(tuple(fact for text in texts for fact in (_scalar(name, text), _member(name, text))))


def _contains(given: Filter) -> HasText:
    if isinstance(given.value, tuple):
        raise InvalidQuery("bad_value", f"{given.field} contains needs one text, not {given.value!r}")
    text = as_text(given.value)
    return HasText(_quoted(given.field) + "=", text, _member(given.field, text))


def _ordered(given: Filter) -> HasOrder:
    order = as_order(given.value)
    if order is None:
        raise InvalidQuery("bad_value", f"{given.field} {given.op} needs a number or an ISO date, not {given.value!r}")
    return HasOrder(_quoted(given.field) + _MARKS[order.unit], given.op, _sortable(order.value))


def _scalar(name: str, text: str) -> str:
    return f"{_quoted(name)}={text[:_LONGEST]}"


def _member(name: str, text: str) -> str:
    return f"{_quoted(name)}+{text[:_LONGEST]}"


@lru_cache(maxsize=1_000)
def _quoted(name: str) -> str:
    return json.dumps(name, ensure_ascii=False)


def _sortable(number: float) -> str:
    """Sixteen hexadecimal digits in the order of the numbers: IEEE 754 bits, flipped where negative."""
    (bits,) = struct.unpack(">Q", struct.pack(">d", number + 0.0))
    return f"{bits ^ 0xFFFFFFFFFFFFFFFF if bits >> 63 else bits | 1 << 63:016x}"
