"""Conditions on chunks: which fields and ops there are, and what they mean on every index.

A field has no value, one, or a list of them, compared as text: 2024 and "2024" are equal, `true` is "true".

- `eq`, `in`: the value, or a member of the list, is one of the given. `ne`, `not_in`: the opposite, missing included.
- `contains`: the given text is part of the value, or is a member of the list, in exactly this case.
- `gt`, `gte`, `lt`, `lte`: numbers with numbers, ISO dates with ISO dates (UTC unless they say otherwise); other
  values, lists and missing ones never match.
- `exists`: there is a value (`false`: there is none).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from math import isfinite
from typing import Any, NamedTuple, cast

from ragstone.errors import InvalidQuery
from ragstone.metadata import NO_SCHEMA, FieldType, MetadataField, typed
from ragstone.types import Filter, FilterOp, FilterValue, MetadataValue

FIELDS = ("source", "title", "language", "kind", "back_matter")
ENTITY = "entity"
"""What a chunk names. Retrieval alone asks for it, to go from one mention to the next."""
METADATA = "metadata."
RANGES = (FilterOp.GT, FilterOp.GTE, FilterOp.LT, FilterOp.LTE)

_LISTS = (FilterOp.IN, FilterOp.NOT_IN)
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
# OpenSearch refuses a pattern that costs it more than 10,000 steps: the square of its length at worst.
_LONGEST = 100


class Order(NamedTuple):
    """Where a value stands among its like: a number, or seconds since 1970 for a date."""

    unit: str
    value: float


def parse_filters(
    raw: Sequence[Mapping[str, object]], schema: Mapping[str, MetadataField] = NO_SCHEMA
) -> tuple[Filter, ...]:
    """Check `{"field", "op", "value"}` mappings; raises InvalidQuery that says what is known.

    With a schema only its filterable fields are, and their values have to be of the declared types.
    """
    return tuple(_parse(item, schema) for item in raw)


def as_text(value: str | int | float | bool) -> str:
    """The text that values are compared by: 2 and 2.0 are "2", True is "true"."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)


def as_order(value: MetadataValue) -> Order | None:
    """The place of a number or an ISO date, also when it is written as text; None for all else."""
    if isinstance(value, bool | tuple):
        return None
    if isinstance(value, str) and _DATE.match(value):
        return _date(value)
    return _number(value)


def _parse(item: Mapping[str, object], schema: Mapping[str, MetadataField]) -> Filter:
    field, op = _field(item.get("field"), schema), _op(item.get("op"))
    given = item.get("value", True if op is FilterOp.EXISTS else None)
    declared = schema.get(field.removeprefix(METADATA)) if field.startswith(METADATA) else None
    value = _value(field, op, given)
    return Filter(field, op, _as_declared(field, op, value, given, declared.type) if declared else value)


def _field(given: object, schema: Mapping[str, MetadataField]) -> str:
    declared = [METADATA + name for name, field in schema.items() if field.filterable]
    if isinstance(given, str):
        is_metadata = given in declared if schema else given.removeprefix(METADATA) not in ("", given)
        if is_metadata or given in FIELDS:
            return given
    metadata = (", ".join(declared) or "no metadata") if schema else f"{METADATA}<name>"
    raise InvalidQuery("unknown_field", f"unknown field {given!r}; known are {', '.join(FIELDS)} and {metadata}")


def _as_declared(field: str, op: FilterOp, value: FilterValue, given: object, type_: FieldType) -> FilterValue:
    """The value written as values of the field are; `given` is what it was before all were made texts."""
    if op in (FilterOp.EXISTS, FilterOp.CONTAINS):
        return value
    if op in RANGES and type_ not in (FieldType.NUMBER, FieldType.DATE):
        raise InvalidQuery("bad_value", f"{field} {op} needs a field of numbers or dates, and this is a {type_}")
    member = FieldType.STRING if type_ is FieldType.LIST else type_
    given_items = cast("Sequence[MetadataValue]", given if isinstance(given, list | tuple) else [given])
    fitting = [item for each in given_items if (item := typed(each, member)) is not None]
    if len(fitting) < len(given_items):
        raise InvalidQuery("bad_value", f"{field} {op} needs values of the declared type, {member}, not {given!r}")
    items = [cast("str | int | float | bool", item) for item in fitting]
    return tuple(map(as_text, items)) if isinstance(value, tuple) else items[0]


def _op(given: object) -> FilterOp:
    try:
        return FilterOp(cast(str, given))
    except ValueError:
        raise InvalidQuery("unknown_op", f"unknown op {given!r}; known are {', '.join(FilterOp)}") from None


def _value(field: str, op: FilterOp, given: object) -> FilterValue:
    if op in _LISTS:
        return tuple(as_text(item) for item in _scalars(field, op, given))
    if op is FilterOp.EXISTS:
        return _expect(field, op, given, "true or false", isinstance(given, bool))
    value = _expect(field, op, given, "one text, number or truth value", _is_scalar(given))
    if op in RANGES:
        _expect(field, op, given, "a number or an ISO date such as 2024-05-01", as_order(value) is not None)
    if op is FilterOp.CONTAINS:
        _expect(field, op, given, f"1 to {_LONGEST} characters", 0 < len(as_text(value)) <= _LONGEST)
    return value


def _scalars(field: str, op: FilterOp, given: object) -> list[str | int | float | bool]:
    items = cast(Sequence[object], given) if isinstance(given, list | tuple) else (None,)
    _expect(field, op, given, "a list of texts, numbers or truth values", all(map(_is_scalar, items)))
    return list(cast(Sequence[str | int | float | bool], items))


def _is_scalar(value: object) -> bool:
    return isinstance(value, str | int | bool) or (isinstance(value, float) and isfinite(value))


def _expect(field: str, op: FilterOp, given: Any, wanted: str, fits: bool) -> str | int | float | bool:
    if not fits:
        raise InvalidQuery("bad_value", f"{field} {op} needs {wanted}, not {given!r}")
    return given


def _date(text: str) -> Order | None:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    return Order("date", (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp())


def _number(value: str | int | float) -> Order | None:
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return None
    return Order("number", number) if isfinite(number) else None
