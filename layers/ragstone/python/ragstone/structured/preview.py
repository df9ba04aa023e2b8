"""A look at a table before its rows become documents."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain, islice

from ragstone.errors import InvalidQuery
from ragstone.structured.columns import Column, columns_of
from ragstone.structured.proposal import Proposal, propose
from ragstone.structured.reading import Table
from ragstone.structured.rows import BadRow, Format, Row, Rows

LOOKED_AT = 1_000


@dataclass(frozen=True, slots=True)
class Preview:
    """What the first rows show; `rows` are the good ones among them, and `rest` goes on with every row from the first.

    Types that hold for them may not hold for all: a later value that doesn't fit is reported when it is met.
    """

    format: Format
    encoding: str
    columns: tuple[Column, ...]
    proposal: Proposal
    rows: tuple[Row, ...]
    bad: tuple[BadRow, ...]
    rest: Rows


def preview(table: Table, *, looked_at: int = LOOKED_AT) -> Preview:
    """Raises InvalidQuery (`no_table`) if none of the first rows can be read."""
    first = list(islice(table.rows, looked_at))
    rows = tuple(row for row in first if isinstance(row, Row))
    bad = tuple(row for row in first if isinstance(row, BadRow))
    if not rows:
        raise InvalidQuery("no_table", f"No row could be read{_why(bad)}.")
    columns = columns_of(rows)
    return Preview(
        format=table.format,
        encoding=table.encoding,
        columns=columns,
        proposal=propose(columns, len(rows)),
        rows=rows,
        bad=bad,
        rest=chain(first, table.rows),
    )


def _why(bad: Sequence[BadRow]) -> str:
    return f": row {bad[0].number}, {bad[0].reason}" if bad else ", since there is none below the header"
