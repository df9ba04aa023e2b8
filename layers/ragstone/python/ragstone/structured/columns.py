"""What the columns of a table hold: their types, and values in these types."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from math import isfinite

from ragstone.metadata import FieldType
from ragstone.structured.rows import Cell, Row, text_of
from ragstone.types import MetadataValue

TRUTH = {"true": True, "yes": True, "false": False, "no": False}
LONGEST_LISTED = 40
_NUMBER = re.compile(r"-?(?:0|[1-9]\d{0,14})(?:\.\d+)?(?:[eE][+-]?\d{1,3})?")
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}(?:[T ].+)?")
_SEPARATOR = re.compile(r"\s*[;|]\s*")


@dataclass(frozen=True, slots=True)
class Column:
    """One column as the looked-at rows show it: `filled` of them have a value, `distinct` values are different.

    `mean_length` is in characters.
    """

    name: str
    type: FieldType
    filled: int
    distinct: int
    mean_length: float
    examples: tuple[str, ...]


def columns_of(rows: Sequence[Row]) -> tuple[Column, ...]:
    """Every column that any of the rows has, in the order in which they turn up."""
    cells: dict[str, list[Cell]] = {}
    for row in rows:
        for name, cell in row.cells.items():
            cells.setdefault(name, []).append(cell)
    return tuple(_column(name, values) for name, values in cells.items())


def typed(cell: Cell, type_: FieldType) -> MetadataValue | None:
    """The value in its column's type; None where a single cell doesn't fit."""
    match type_:
        case FieldType.STRING:
            return text_of(cell)
        case FieldType.LIST:
            return cell if isinstance(cell, tuple) else tuple(filter(None, _SEPARATOR.split(cell)))
        case _:
            return _CONVERTERS[type_](cell) if isinstance(cell, str) else None


def _column(name: str, cells: Sequence[Cell]) -> Column:
    texts = [text_of(cell) for cell in cells]
    different = tuple(dict.fromkeys(texts))
    return Column(
        name=name,
        type=_type_of(cells),
        filled=len(cells),
        distinct=len(different),
        mean_length=sum(map(len, texts)) / len(texts),
        examples=different[:3],
    )


def _type_of(cells: Sequence[Cell]) -> FieldType:
    """The narrowest type that every value fits."""
    texts = [cell for cell in cells if isinstance(cell, str)]
    if len(texts) < len(cells):
        return FieldType.LIST
    for type_, convert in _CONVERTERS.items():
        if all(convert(text) is not None for text in texts):
            return type_
    return FieldType.LIST if _are_lists(texts) else FieldType.STRING


def _are_lists(texts: Sequence[str]) -> bool:
    """Whether most are short words between separators, rather than sentences that happen to have a semicolon."""
    parts = [_SEPARATOR.split(text) for text in texts]
    several = sum(len(words) > 1 for words in parts)
    return several * 2 > len(texts) and all(len(word) <= LONGEST_LISTED for words in parts for word in words)


def _truth(text: str) -> bool | None:
    return TRUTH.get(text.lower())


def _number(text: str) -> int | float | None:
    """Numbers that are counted with: what begins with a zero or is as long as an account's is a name."""
    if not _NUMBER.fullmatch(text):
        return None
    number = float(text)
    if not isfinite(number):
        return None
    return int(text) if text.lstrip("-").isdigit() else number


def _date(text: str) -> str | None:
    if not _DATE.fullmatch(text):
        return None
    try:
        datetime.fromisoformat(text)
    except ValueError:
        return None
    return text


_CONVERTERS: Mapping[FieldType, Callable[[str], MetadataValue | None]] = {
    FieldType.BOOLEAN: _truth,
    FieldType.NUMBER: _number,
    FieldType.DATE: _date,
}
