"""The order in which a page's parts are read: columns one after the other, tables row by row."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, groupby, islice, pairwise
from math import ceil, floor
from statistics import median
from typing import NamedTuple

_NARROWEST = 5.0
"""Points of white between two columns."""
_BIN = 1.5
_MOST_PARTS = 1_500
_MOST_TRIED = 6
_FEWEST = 2
_MOST_CHANGES = 0.1
_PROSE_LETTERS = 22
_PROSE_FILL = 0.6
_ALIGNED = 1.5
_MOSTLY = 0.85


class Part(NamedTuple):
    """Something on the page: its box, the number of its letters, how many of them are digits, and when it is drawn.

    A ruled line has no letters: it only parts what is above from what is below.
    """

    left: float
    right: float
    bottom: float
    top: float
    base: float
    letters: int
    digits: int
    drawn: int


def in_columns(parts: Sequence[Part]) -> Iterator[list[Part]]:
    """The parts in groups, in reading order; each group is a column of text, or what stands across all of them."""
    if not 2 * _FEWEST <= len(parts) <= _MOST_PARTS:
        yield from [list(parts)] if parts else []
        return
    from_top = sorted(parts, key=lambda part: -part.top)
    for gutter in islice(_gutters(parts), _MOST_TRIED):
        bands = list(_bands(from_top, gutter))
        if any(_are_columns(*_sides(band, gutter)) for band in bands):
            yield from _in_bands(bands, gutter)
            return
    yield list(parts)


def _in_bands(bands: Sequence[Sequence[Part]], gutter: float) -> Iterator[list[Part]]:
    across: list[Part] = []
    for band in bands:
        left, right = _sides(band, gutter)
        if not _are_columns(left, right) and not _are_remains(left, right):
            across += band
            continue
        yield from in_columns(across)
        across = []
        yield from in_columns(left)
        yield from in_columns(right)
    yield from in_columns(across)


def _gutters(parts: Sequence[Part]) -> list[float]:
    """Where fewer parts lie than to the left and to the right, as distances from the left; the likeliest first."""
    start = min(part.left for part in parts)
    depth = [0] * (ceil((max(part.right for part in parts) - start) / _BIN) + 2)
    for part in parts:
        depth[floor((part.left - start) / _BIN)] += 1
        depth[ceil((part.right - start) / _BIN)] -= 1
    runs = [(depth, len(list(run))) for depth, run in groupby(accumulate(depth))]
    ends = list(accumulate(length for _, length in runs))
    valleys = [
        start + _BIN * (ends[at] - runs[at][1] / 2)
        for at in range(1, len(runs) - 1)
        if runs[at - 1][0] > runs[at][0] < runs[at + 1][0]
    ]
    return sorted(valleys, key=lambda gutter: -min(map(_letters, _sides(parts, gutter))))


def _bands(from_top: Sequence[Part], gutter: float) -> Iterator[list[Part]]:
    """Runs of parts that leave the gutter white, and between them runs of what lies across it."""
    for _, band in groupby(from_top, key=lambda part: part.left < gutter < part.right):
        yield list(band)


def _sides(band: Iterable[Part], gutter: float) -> tuple[list[Part], list[Part]]:
    """What lies to the left and to the right of a gutter, without ruled lines."""
    seen = [part for part in band if part.letters]
    return [part for part in seen if part.right <= gutter], [part for part in seen if part.left >= gutter]


def _letters(parts: Iterable[Part]) -> int:
    return sum(part.letters for part in parts)


def _are_columns(left: Sequence[Part], right: Sequence[Part]) -> bool:
    """Whether both sides are lines of prose, or one side is drawn after the other and they are no table."""
    if min(_rows(left), _rows(right)) < _FEWEST:
        return False
    if min(part.left for part in right) - max(part.right for part in left) < _NARROWEST:
        return False
    if _are_prose(left) and _are_prose(right):
        return True
    sides = sorted([(part.drawn, False) for part in left] + [(part.drawn, True) for part in right])
    changes = sum(one[1] != other[1] for one, other in pairwise(sides))
    return changes <= max(1, _MOST_CHANGES * len(sides)) and not _are_cells(left, right)


def _are_remains(left: Sequence[Part], right: Sequence[Part]) -> bool:
    """Whether a few lines on both sides of a known gutter are the ends of columns and not a row of cells."""
    if not left or not right or min(_rows(left), _rows(right)) >= _FEWEST:
        return False
    bases = {round(part.base) for part in left}
    return bases.isdisjoint(round(part.base) for part in right) or (_are_prose(left) and _are_prose(right))


def _rows(parts: Sequence[Part]) -> int:
    return len({round(part.base) for part in parts})


def _are_prose(column: Sequence[Part]) -> bool:
    """Whether most lines of a column are full of words."""
    width = max(part.right for part in column) - min(part.left for part in column)
    return (
        median(part.letters for part in column) >= _PROSE_LETTERS
        and median(part.right - part.left for part in column) >= _PROSE_FILL * width
    )


def _are_cells(left: Sequence[Part], right: Sequence[Part]) -> bool:
    """Whether each line of one side has its number on the other."""
    bases = sorted(part.base for part in left)
    beside = sum(any(abs(base - part.base) <= _ALIGNED for base in bases) for part in right)
    numbers = sum(part.digits * 2 > part.letters for part in right)
    return min(beside, numbers) >= _MOSTLY * len(right)
