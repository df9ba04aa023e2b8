"""Tables that a page rules: lines that cross make cells, words fall into them."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from statistics import median

from ragstone.parsing.pdf_drawings import Rule
from ragstone.parsing.pdf_lines import lines_of, pieces_of
from ragstone.parsing.pdf_words import Word
from ragstone.parsing.tables import Place

_NEAR = 3.0
_MOST_RULES = 3_000
_LEAST_APART = 0.5
_FEWEST_ROWS = 2
_LONGEST_CELL = 300
_FEW_CELLS = 5

Cell = tuple[int, int]
"""A row, counted from the bottom, and a column."""


@dataclass(frozen=True, slots=True)
class Frame:
    """A table's rulings: where its columns (from the left) and its rows (from the bottom) meet, in points."""

    xs: tuple[float, ...]
    ys: tuple[float, ...]
    upright: tuple[Rule, ...]
    level: tuple[Rule, ...]

    def holds(self, x: float, y: float) -> bool:
        return self.xs[0] - _NEAR <= x <= self.xs[-1] + _NEAR and self.ys[0] - _NEAR <= y <= self.ys[-1] + _NEAR

    def parted_right(self, row: int, column: int) -> bool:
        """Whether a line stands to the right of a cell; rows count from the bottom."""
        return _covered(self.upright, self.xs[column + 1], (self.ys[row] + self.ys[row + 1]) / 2)

    def parted_above(self, row: int, column: int) -> bool:
        return _covered(self.level, self.ys[row + 1], (self.xs[column] + self.xs[column + 1]) / 2)


def frames_of(rules: Sequence[Rule]) -> list[Frame]:
    """The rulings that are tables: at least two rows and two columns of lines that touch each other."""
    if len(rules) > _MOST_RULES:
        return []
    frames = [_frame(group) for group in _touching(_merged(rules))]
    return [frame for frame in frames if frame is not None]


def grid_of(frame: Frame, words: Iterable[Word]) -> list[list[Place]] | None:
    """The table's cells from the top, merged ones opened out; None if frame and words are no table.

    A plan or a form merges most of its cells, a page's decoration holds long texts, a legend has one row.
    """
    areas, texts = _areas(frame), _texts(frame, words)
    whole: defaultdict[Cell, list[str]] = defaultdict(list)
    for cell in areas:
        whole[areas[cell]] += filter(None, [texts.get(cell)])
    joined = {area: " ".join(parts) for area, parts in whole.items()}
    if not _is_table(areas, joined):
        return None
    rows = groupby(areas, key=lambda cell: cell[0])
    return [[Place(joined[areas[cell]], repeated=areas[cell][1] != cell[1]) for cell in row] for _, row in rows]


def _is_table(areas: Mapping[Cell, Cell], texts: Mapping[Cell, str]) -> bool:
    rows: defaultdict[int, set[Cell]] = defaultdict(set)
    for cell, area in areas.items():
        if texts[area]:
            rows[cell[0]].add(area)
    lengths = [len(text) for text in texts.values() if text]
    return (
        len(texts) >= _LEAST_APART * len(areas)
        and len({frozenset(row) for row in rows.values() if len(row) > 1}) >= _FEWEST_ROWS
        and median(lengths) <= _LONGEST_CELL
        and (len(lengths) > _FEW_CELLS or max(lengths) <= _LONGEST_CELL / 2)
    )


def _texts(frame: Frame, words: Iterable[Word]) -> dict[Cell, str]:
    """The text of each cell by row (from the bottom) and column."""
    cells: defaultdict[Cell, list[Word]] = defaultdict(list)
    for word in words:
        column = bisect_right(frame.xs, (word.left + word.right) / 2) - 1
        row = bisect_right(frame.ys, word.y + 0.3 * word.style.size) - 1
        cells[min(max(row, 0), len(frame.ys) - 2), min(max(column, 0), len(frame.xs) - 2)].append(word)
    return {at: " ".join(line.text for line in lines_of(pieces_of(found), 0)) for at, found in cells.items()}


def _areas(frame: Frame) -> dict[Cell, Cell]:
    """For each cell, from the top, the first cell (upper left) of the one that it is part of, as no line parts them."""
    areas: dict[Cell, Cell] = {}
    for row in reversed(range(len(frame.ys) - 1)):
        for column in range(len(frame.xs) - 1):
            area = (row, column)
            if row + 1 < len(frame.ys) - 1 and not frame.parted_above(row, column):
                area = areas[row + 1, column]
            elif column and not frame.parted_right(row, column - 1):
                area = areas[row, column - 1]
            areas[row, column] = area
    return areas


def _frame(rules: Sequence[Rule]) -> Frame | None:
    upright = tuple(rule for rule in rules if not rule.level)
    level = tuple(rule for rule in rules if rule.level)
    if not upright or not level:
        return None
    # Tables that are open at the sides end where their lines end.
    xs = _places([rule.at for rule in upright] + [min(r.start for r in level), max(r.end for r in level)])
    ys = _places([rule.at for rule in level] + [min(r.start for r in upright), max(r.end for r in upright)])
    return Frame(xs, ys, upright, level) if len(xs) > 2 and len(ys) > 2 else None


def _places(values: Iterable[float]) -> tuple[float, ...]:
    """Values in order, those that lie near each other as one."""
    found: list[float] = []
    for value in sorted(values):
        if not found or value - found[-1] > _NEAR:
            found.append(value)
    return tuple(found)


def _merged(rules: Sequence[Rule]) -> list[Rule]:
    """Rules that go on where others end are one."""
    merged: list[Rule] = []
    for rule in sorted(rules, key=lambda rule: (rule.level, round(rule.at / _NEAR), rule.start)):
        last = merged[-1] if merged else None
        if last and last.level == rule.level and abs(last.at - rule.at) <= _NEAR and rule.start <= last.end + _NEAR:
            merged[-1] = last._replace(end=max(last.end, rule.end))
        else:
            merged.append(rule)
    return merged


def _touching(rules: Sequence[Rule]) -> Iterator[list[Rule]]:
    """Groups of rules that cross or meet each other."""
    left = list(rules)
    while left:
        group: list[Rule] = []
        todo = [left.pop()]
        while todo:
            rule = todo.pop()
            group.append(rule)
            touched = [other for other in left if _touch(rule, other)]
            left = [other for other in left if not _touch(rule, other)]
            todo += touched
        yield group


def _touch(one: Rule, other: Rule) -> bool:
    return (
        one.level != other.level
        and one.start - _NEAR <= other.at <= one.end + _NEAR
        and other.start - _NEAR <= one.at <= other.end + _NEAR
    )


def _covered(rules: Iterable[Rule], at: float, along: float) -> bool:
    return any(abs(rule.at - at) <= _NEAR and rule.start <= along <= rule.end for rule in rules)
