"""JSON and JSON Lines: nested values as "path: value", records as lines that can stand alone."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import TypeAlias

from ragstone.errors import Rejected
from ragstone.parsing import media
from ragstone.parsing.builder import LINE, PARAGRAPH, DocumentBuilder
from ragstone.parsing.cleaning import clean
from ragstone.parsing.encoding import decode
from ragstone.parsing.registry import parsers
from ragstone.parsing.wording import numbers_named
from ragstone.types import BlockKind, ParsedDocument

_DEEPEST = 100
_LONGEST_RECORD = 2_000
_LONGEST_LISTED = 80

Value: TypeAlias = "str | bool | list[Value] | dict[str, Value] | None"
"""A JSON value with its numbers as they are written."""

Pair = tuple[str, str]
"""A path such as `crew[0].name`, and the value there as text."""

Piece = tuple[str, BlockKind, str]
"""What goes before a block, its kind and its text."""


@parsers.register(media.JSON)
def parse_json(content: bytes, *, source: str) -> ParsedDocument:
    """Read one JSON value; a file that turns out to hold one value a line is read as JSON Lines."""
    decoded = decode(content)
    builder = DocumentBuilder(media.JSON, "json", warnings=decoded.warnings)
    if not decoded.text.strip():
        return builder.build()
    try:
        value = _value(decoded.text)
    except json.JSONDecodeError as error:
        values, bad = _values(decoded.text)
        if bad or not values:
            where = f"line {error.lineno}, column {error.colno}: {error.msg}"
            raise Rejected("damaged", f"{source} is not valid JSON ({where}); mend it and upload it again.") from error
        value = values
    except RecursionError as error:
        raise _too_deep(source) from error
    _add(builder, value, source)
    return builder.build()


@parsers.register(media.JSONL)
def parse_json_lines(content: bytes, *, source: str) -> ParsedDocument:
    """Read one JSON value a line; lines that hold none are named in a warning while the others are read."""
    decoded = decode(content)
    builder = DocumentBuilder(media.JSONL, "jsonl", warnings=decoded.warnings)
    values, bad = _values(decoded.text)
    if bad and not values:
        raise Rejected("damaged", f"No line of {source} is valid JSON; mend it and upload it again.")
    if bad:
        builder.warnings.append(f"What is not valid JSON was left out: {numbers_named('line', bad)}.")
    _add(builder, values, source)
    return builder.build()


def _values(text: str) -> tuple[list[Value], list[int]]:
    """The values of all lines, and the numbers of the lines without one; only a newline ends a line."""
    values: list[Value] = []
    bad: list[int] = []
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            try:
                values.append(_value(line))
            except (json.JSONDecodeError, RecursionError):
                bad.append(number)
    return values, bad


def _value(text: str) -> Value:
    """The value with its numbers as they are written: 12.50 stays 12.50, and no number is too long."""
    return json.loads(text, parse_int=str, parse_float=str, parse_constant=str)


def _add(builder: DocumentBuilder, value: Value, source: str) -> None:
    if _is_deeper_than(_DEEPEST, value):
        raise _too_deep(source)
    blocks = _object(value) if isinstance(value, dict) else _records(value if isinstance(value, list) else [value])
    for joint, kind, text in blocks:
        builder.block(text, joint=joint, kind=kind)


def _object(value: dict[str, Value]) -> Iterator[Piece]:
    """An object's own values as the lines of one block; each list of objects in it is set off under its path."""
    lines: list[str] = []
    for path, item in _down_to_tables(value, ""):
        if isinstance(item, list) and _is_table(item):
            yield PARAGRAPH, BlockKind.PARAGRAPH, "\n".join(lines)
            lines = []
            yield PARAGRAPH, BlockKind.CAPTION, f"{path}:"
            yield from ((LINE, kind, text) for _, kind, text in _records(item))
        else:
            lines.extend(_line(pair) for pair in _leaves(item, path))
    yield PARAGRAPH, BlockKind.PARAGRAPH, "\n".join(lines)


def _down_to_tables(value: Value, path: str) -> Iterator[tuple[str, Value]]:
    if isinstance(value, dict):
        for key, item in value.items():
            yield from _down_to_tables(item, f"{path}.{key}" if path else key)
    else:
        yield path, value


def _is_table(values: Sequence[Value]) -> bool:
    return any(isinstance(item, dict) for item in values)


def _records(values: Sequence[Value]) -> Iterator[Piece]:
    """Each value as a line of "path: value | path: value", or as a block of lines if that would be too long."""
    short: list[str] = []
    for value in values:
        pairs = [_line(pair) for pair in _leaves(value, "")]
        line = " | ".join(pairs)
        if "\n" not in line and len(line) <= _LONGEST_RECORD:
            short.append(line)
            continue
        yield PARAGRAPH, BlockKind.TABLE, "\n".join(filter(None, short))
        short = []
        yield PARAGRAPH, BlockKind.PARAGRAPH, "\n".join(pairs)
    yield PARAGRAPH, BlockKind.TABLE, "\n".join(filter(None, short))


def _leaves(value: Value, path: str) -> Iterator[Pair]:
    """The values at the bottom with their paths; a list of short values is one of them, nulls and blanks are none."""
    if isinstance(value, dict):
        for key, item in value.items():
            yield from _leaves(item, f"{path}.{key}" if path else key)
    elif isinstance(value, list) and any(isinstance(item, dict | list) for item in value):
        for index, item in enumerate(value):
            yield from _leaves(item, f"{path}[{index}]")
    elif isinstance(value, list):
        texts = [text for item in value if (text := _scalar(item))]
        together = ", ".join(texts)
        yield from [(path, together)] if len(together) <= _LONGEST_LISTED else ((path, text) for text in texts)
    elif text := _scalar(value):
        yield path, text


def _line(pair: Pair) -> str:
    path, text = pair
    return f"{path}: {text}" if path and text else text


def _scalar(value: Value) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return clean(value).strip() if isinstance(value, str) else ""


def _is_deeper_than(limit: int, value: Value) -> bool:
    level = [value]
    for _ in range(limit):
        level = [item for outer in level for item in _items(outer)]
        if not level:
            return False
    return True


def _items(value: Value) -> Iterable[Value]:
    if isinstance(value, dict):
        return value.values()
    return value if isinstance(value, list) else ()


def _too_deep(source: str) -> Rejected:
    return Rejected("too_large", f"{source} is nested deeper than {_DEEPEST} levels; flatten it and upload it again.")
