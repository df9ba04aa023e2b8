"""Stretches that no cut goes through: grapheme clusters of several characters, and formulas."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from ragstone.chunking.graphemes import clusters
from ragstone.text import Span


@dataclass(frozen=True, slots=True)
class Atoms:
    """The uncuttable stretches of more than one character, in order and apart, by their starts and ends."""

    starts: list[int]
    ends: list[int]

    @classmethod
    def merged(cls, spans: Iterable[Span]) -> Atoms:
        """Spans in order of their starts; those that overlap as one."""
        atoms = cls([], [])
        for span in spans:
            if atoms.ends and span.start < atoms.ends[-1]:
                atoms.ends[-1] = max(atoms.ends[-1], span.end)
            else:
                atoms.starts.append(span.start)
                atoms.ends.append(span.end)
        return atoms

    def __iter__(self) -> Iterator[Span]:
        return map(Span, self.starts, self.ends)

    def floor(self, position: int) -> int:
        """The last place at or before a position where a cut may go."""
        before = bisect_right(self.ends, position)
        return min(position, self.starts[before]) if before < len(self.starts) else position

    def ceil(self, position: int) -> int:
        """The first place at or after a position where a cut may go."""
        after = bisect_left(self.starts, position)
        return max(position, self.ends[after - 1]) if after else position

    def whole(self, spans: Iterable[Span]) -> Iterator[Span]:
        """Spans widened to whole atoms; those that then overlap as one."""
        return iter(Atoms.merged(Span(self.floor(span.start), self.ceil(span.end)) for span in spans))


def atoms_in(text: str, start: int, end: int, formulas: Iterable[Span], fits: Callable[[str], bool]) -> Atoms:
    """The grapheme clusters in `[start, end)`, and the formulas in it that fit, with all marks on them."""
    found = Atoms.merged(clusters(text, start, end))
    inside = (formula for formula in formulas if start <= formula.start and formula.end <= end)
    marked = (Span(found.floor(formula.start), found.ceil(formula.end)) for formula in inside)
    fitting = [formula for formula in marked if fits(text[formula.start : formula.end])]
    return Atoms.merged(sorted([*found, *fitting])) if fitting else found
