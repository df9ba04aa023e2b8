"""JSON Lines and JSON arrays row by row, without holding the file."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import TextIO, TypeAlias

from ragstone.structured.rows import LONGEST_ROW, BadRow, Cell, Row, Rows

Value: TypeAlias = "str | bool | Sequence[Value] | Mapping[str, Value] | None"
"""A JSON value with its numbers as they are written: 12.50 stays 12.50."""

CHUNK = 65_536
_decoder = json.JSONDecoder(parse_int=str, parse_float=str, parse_constant=str)


def line_rows(text: TextIO) -> Rows:
    """One object a line; lines without one are reported."""
    number = 0
    for line_number, line in enumerate(_lines(text), start=1):
        if line is not None and not line.strip():
            continue
        number += 1
        if line is None:
            yield BadRow(number, f"it is longer than {LONGEST_ROW} characters", line_number)
            continue
        try:
            value: Value = _decoder.decode(line)
        except (json.JSONDecodeError, RecursionError) as error:
            yield BadRow(number, _reason(error), line_number)
        else:
            yield _row(number, value, line_number)


def array_rows(text: TextIO) -> Rows:
    """One object an item; where the array itself is broken nothing after it can be read."""
    reading = _Reading(text)
    reading.skip_one()
    number = 0
    while (character := reading.peek()) != "]":
        if character == ",":
            reading.skip_one()
            continue
        number += 1
        try:
            value = reading.value()
        except (json.JSONDecodeError, RecursionError) as error:
            yield BadRow(number, f"{_reason(error)}; nothing after it could be read")
            return
        yield _row(number, value)


class _Reading:
    """A window on a text that moves on with what was read."""

    def __init__(self, text: TextIO) -> None:
        self._text = text
        self._window = ""
        self._at = 0

    def peek(self) -> str:
        """The next character that is no white space, empty at the end."""
        while True:
            while self._at < len(self._window) and self._window[self._at].isspace():
                self._at += 1
            if self._at < len(self._window) or not self._read_on(CHUNK):
                return self._window[self._at : self._at + 1]

    def skip_one(self) -> None:
        self.peek()
        self._at += 1

    def value(self) -> Value:
        """The value that begins here; raises JSONDecodeError if none does, or none that ends."""
        more = CHUNK
        while True:
            try:
                value, end = _decoder.raw_decode(self._window, self._at)
            except json.JSONDecodeError:
                if len(self._window) - self._at > LONGEST_ROW or not self._read_on(more):
                    raise
            else:
                # A number that ends with the window may go on after it.
                if end < len(self._window) or not self._read_on(more):
                    self._at = end
                    return value
            more *= 2

    def _read_on(self, characters: int) -> bool:
        more = self._text.read(characters)
        self._window = self._window[self._at :] + more
        self._at = 0
        return bool(more)


def _lines(text: TextIO) -> Iterator[str | None]:
    """Each line, None for one that is too long."""
    while line := text.readline(LONGEST_ROW):
        is_whole = len(line) < LONGEST_ROW or line.endswith("\n")
        yield line if is_whole else None
        while not is_whole and (rest := text.readline(LONGEST_ROW)):
            is_whole = len(rest) < LONGEST_ROW or rest.endswith("\n")


def _reason(error: Exception) -> str:
    return f"it is not JSON ({error.msg})" if isinstance(error, json.JSONDecodeError) else "it is nested too deeply"


def _row(number: int, value: Value, line: int | None = None) -> Row | BadRow:
    if not isinstance(value, Mapping):
        return BadRow(number, "it is not an object", line)
    return Row(number, dict(_cells(value)))


def _cells(record: Mapping[str, Value], path: str = "") -> Iterator[tuple[str, Cell]]:
    """The values by their paths, `harbour.name`; a list is one cell, whatever it holds."""
    for key, value in record.items():
        name = f"{path}.{key}" if path else key
        if isinstance(value, Mapping):
            yield from _cells(value, name)
        elif isinstance(value, list):
            yield name, tuple(_text(item) for item in value)
        else:
            yield name, _text(value)


def _text(value: Value) -> str:
    match value:
        case None:
            return ""
        case bool():
            return str(value).lower()
        case str():
            return value
        case Mapping():
            return ", ".join(f"{key}: {_text(item)}" for key, item in value.items())
        case _:
            return "; ".join(map(_text, value))
