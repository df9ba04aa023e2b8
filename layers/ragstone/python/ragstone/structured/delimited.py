"""CSV row by row, with whatever delimiter; a row that is broken is one row's loss."""

from __future__ import annotations

import csv
from collections import Counter, deque
from collections.abc import Iterator, Sequence
from typing import TextIO

from ragstone.errors import InvalidQuery
from ragstone.structured.rows import LONGEST_ROW, BadRow, Row, Rows

DELIMITERS = ",;\t|"
SAMPLE_LINES = 50


class _TooLong(Exception):
    """A row goes on for longer than any does."""


class _Lines(Iterator[str]):
    """The lines of a text; those of the record that is being read can be given back."""

    def __init__(self, text: TextIO) -> None:
        self._text = text
        self._given_back: deque[str] = deque()
        self._taken: list[str] = []
        self._size = 0
        self.number = 0

    def __next__(self) -> str:
        line = self._given_back.popleft() if self._given_back else self._text.readline(LONGEST_ROW)
        if not line:
            raise StopIteration
        self.number += 1
        self._taken.append(line)
        self._size += len(line)
        if self._size >= LONGEST_ROW:
            raise _TooLong
        return line

    def begin_record(self) -> int:
        """Forget the record before; the number of the line that comes next."""
        self._taken.clear()
        self._size = 0
        return self.number + 1

    def give_back_all_but_first(self) -> None:
        rest = self._taken[1:]
        self._given_back.extendleft(reversed(rest))
        self.number -= len(rest)


def rows(text: TextIO, sample: str) -> Rows:
    """Each record below the header; raises InvalidQuery if there is none. The sample is the text's beginning."""
    csv.field_size_limit(max(csv.field_size_limit(), LONGEST_ROW))  # the default of 128 KiB would cut long cells off
    records = _records(_Lines(text), delimiter_of(sample))
    header = next(records, None)
    if not isinstance(header, list):
        reason = header.reason if header else "the file is empty"
        raise InvalidQuery("no_table", f"There is no header to name the columns: {reason}.")
    names = list(_names(header))
    for number, record in enumerate(records, start=1):
        if isinstance(record, BadRow):
            yield BadRow(number, record.reason, record.line)
        else:
            yield _row(number, record, names)


def delimiter_of(sample: str) -> str:
    """The delimiter that cuts most lines of the sample into the same number of cells, more than one if it can."""
    lines = sample.splitlines(keepends=True)[:SAMPLE_LINES]
    return max(DELIMITERS, key=lambda delimiter: _agreement([len(r) for r in csv.reader(lines, delimiter=delimiter)]))


def _agreement(widths: Sequence[int]) -> tuple[float, int]:
    width, count = max(Counter(widths).items(), key=lambda item: (item[1], item[0]), default=(1, 0))
    return (count / len(widths), width) if width > 1 else (0, 0)


def _records(lines: _Lines, delimiter: str) -> Iterator[list[str] | BadRow]:
    """Each record's cells; after a broken one, reading starts afresh with the line after its first."""
    reader = csv.reader(lines, delimiter=delimiter, strict=True, skipinitialspace=True)
    while True:
        begun = lines.begin_record()
        try:
            cells = next(reader)
        except StopIteration:
            return
        except (csv.Error, _TooLong) as error:
            yield BadRow(0, _reason(error), begun)
            lines.give_back_all_but_first()
            reader = csv.reader(lines, delimiter=delimiter, strict=True, skipinitialspace=True)
        else:
            if any(cell.strip() for cell in cells):
                yield cells


def _reason(error: Exception) -> str:
    return "a quotation mark never closes" if isinstance(error, _TooLong) else str(error)


def _names(header: Sequence[str]) -> Iterator[str]:
    """A name of its own for each column; those without get a number."""
    taken: set[str] = set()
    for position, cell in enumerate(header, start=1):
        wanted = cell.strip() or f"column {position}"
        name = next(name for name in _numbered(wanted) if name not in taken)
        taken.add(name)
        yield name


def _numbered(name: str) -> Iterator[str]:
    yield name
    number = 2
    while True:
        yield f"{name} {number}"
        number += 1


def _row(number: int, cells: Sequence[str], names: Sequence[str]) -> Row | BadRow:
    filled = len(cells)
    while filled > len(names) and not cells[filled - 1].strip():
        filled -= 1
    if filled != len(names):
        return BadRow(number, f"it has {filled} cells, and the header has {len(names)}")
    return Row(number, dict(zip(names, cells, strict=False)))
