"""Lists of numbers for warnings that people read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby, islice

_MOST_NAMED = 10


def numbers_named(noun: str, numbers: Iterable[int]) -> str:
    """ "page 4", "pages 1, 3 and 5 to 9", or "lines 1, 3 … and 120 more": at most ten ranges are named."""
    rising = sorted(set(numbers))
    ranges = list(_ranges(rising))
    shown = [str(first) if first == last else f"{first} to {last}" for first, last in islice(ranges, _MOST_NAMED)]
    hidden = sum(last - first + 1 for first, last in ranges[_MOST_NAMED:])
    if hidden:
        shown.append(f"{hidden} more")
    listed = " and ".join(filter(None, (", ".join(shown[:-1]), shown[-1])))
    return f"{noun} {listed}" if len(rising) == 1 else f"{noun}s {listed}"


def _ranges(rising: Iterable[int]) -> Iterator[tuple[int, int]]:
    for _, run in groupby(enumerate(rising), key=lambda pair: pair[1] - pair[0]):
        numbers = [number for _, number in run]
        yield numbers[0], numbers[-1]
