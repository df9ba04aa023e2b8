"""Windows of a fixed number of units that move over a text."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ragstone.chunking.atoms import Atoms
from ragstone.text import Span


@dataclass(frozen=True, slots=True)
class Windows:
    """`bounds` are the units' starts and the end of the last one; no window begins or ends within an atom."""

    bounds: Sequence[int]
    atoms: Atoms
    size: int
    overlap: int

    def __iter__(self) -> Iterator[Span]:
        start, end = self.bounds[0], self._reach(self.bounds[0])
        yield Span(start, end)
        while end < self.bounds[-1]:
            start = self._next(end)
            end = self._reach(start)
            yield Span(start, end)

    def _reach(self, start: int) -> int:
        """Where a window ends that begins at `start`: at least one atom later."""
        first = bisect_right(self.bounds, start) - 1
        limit = self.bounds[min(first + self.size, len(self.bounds) - 1)]
        end = self.atoms.floor(limit)
        return end if end > start else self.atoms.ceil(max(limit, start + 1))

    def _next(self, end: int) -> int:
        """Where the next window begins: the overlap before `end`, if it then reaches beyond it."""
        back = bisect_left(self.bounds, end) - self.overlap
        start = min(end, self.atoms.floor(self.bounds[max(back, 0)]))
        return start if self._reach(start) > end else end
