"""A PDF's pages as one flow of lines: headings, rows of tables, code, formulas, and text that may run on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from ragstone.parsing.lines import Line
from ragstone.parsing.pdf_kinds import indent_of, kinds_of
from ragstone.parsing.pdf_layout import PageItem
from ragstone.parsing.pdf_lines import PageLine
from ragstone.parsing.pdf_outline import FoundHeading
from ragstone.parsing.pdf_table_text import TableTexts
from ragstone.parsing.pdf_tables import PageTable
from ragstone.types import BlockKind


@dataclass(frozen=True, slots=True)
class FlowLine(Line):
    """A line with the kind of the block that it is part of."""

    kind: BlockKind = BlockKind.PARAGRAPH


@dataclass(slots=True)
class Flow:
    """Turns pages to lines, one after the other: what a table's columns are called may stand on the page before."""

    _tables: TableTexts = field(default_factory=TableTexts)
    _ended_with_table: bool = False

    def lines(self, items: Sequence[PageItem], headings: Mapping[int, FoundHeading], page: int) -> Iterator[FlowLine]:
        """One page's lines; `headings` by their first line."""
        at = 0
        while at < len(items):
            item = items[at]
            if at in headings:
                heading = headings[at]
                yield FlowLine(heading.text, page, level=heading.level, kind=BlockKind.HEADING)
                at += heading.lines
            elif isinstance(item, PageTable):
                yield from self._table(item, page, on_top=at == 0 and self._ended_with_table)
                at += 1
            else:
                run = _run(items, at, headings)
                yield from _text(run, page, after_other=at > 0)
                at += len(run)
        if items:
            self._ended_with_table = isinstance(items[-1], PageTable)

    def _table(self, table: PageTable, page: int, *, on_top: bool) -> Iterator[FlowLine]:
        for number, text in enumerate(self._tables.lines(table, on_top=on_top)):
            yield FlowLine(text, page, table.column, gap=number == 0, row=True, kind=BlockKind.TABLE)


def _run(items: Sequence[PageItem], start: int, headings: Mapping[int, FoundHeading]) -> list[PageLine]:
    """The lines of text from `start` on, up to the next heading or table."""
    run: list[PageLine] = []
    for at in range(start, len(items)):
        item = items[at]
        if isinstance(item, PageTable) or at in headings:
            break
        run.append(item)
    return run


def _text(lines: Sequence[PageLine], page: int, *, after_other: bool) -> Iterator[FlowLine]:
    kinds = kinds_of(lines)
    left = min(line.left for line in lines)
    before = BlockKind.TABLE if after_other else None
    for at, (line, kind) in enumerate(zip(lines, kinds, strict=True)):
        set_off = before is not kind and not {before, kind}.isdisjoint(_SET_OFF)
        gap = set_off or (line.gap and (at > 0 or after_other) and (kind not in _SET_OFF or before is not kind))
        text = f"{indent_of(line, left)}{line.text}" if kind is BlockKind.CODE else line.text
        yield FlowLine(text, page, line.column, gap=gap, row=line.has_columns or kind in _SET_OFF, kind=kind)
        before = kind


_SET_OFF = frozenset({BlockKind.TABLE, BlockKind.CODE, BlockKind.FORMULA})
"""Kinds whose lines stay lines, in a block of their own."""
