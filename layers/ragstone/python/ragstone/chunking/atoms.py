"""Stretches that no cut goes through: grapheme clusters of several characters, and formulas."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from ragstone.chunking.graphemes import clusters
from ragstone.chunking.structure import blocks_between
from ragstone.text import Span
from ragstone.types import BlockKind, ParsedDocument

# A formula has no blank line and none of its own kind in it: two signs far apart are not its ends.
FORMULA = re.compile(
    r"""
    \$\$ (?: \\. | \n(?![^\S\n]*\n) | [^$\\\n] )+ \$\$
    | (?<!\\)\\\[ (?: \\\\ | \\(?![\[\]\\]) | \n(?![^\S\n]*\n) | [^\\\n] )+ \\\]
    """,
    re.DOTALL | re.VERBOSE,
)


@dataclass(frozen=True, slots=True)
class Atoms:
    """The uncuttable stretches of more than one character, in order and apart, by their starts and ends."""

    starts: list[int]
    ends: list[int]

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
        wide: Span | None = None
        for span in spans:
            start, end = self.floor(span.start), self.ceil(span.end)
            if wide is not None and start >= wide.end:
                yield wide
                wide = None
            wide = Span(start if wide is None else wide.start, end)
        if wide is not None:
            yield wide


def atoms_in(document: ParsedDocument, start: int, end: int, fits: Callable[[str], bool]) -> Atoms:
    """The grapheme clusters (Unicode Standard Annex 29) and the formulas that `fits` holds for.

    Formulas are `$$…$$`, `\\[…\\]` and blocks of that kind; one that is too long for a chunk may be cut.
    """
    found = _merged(clusters(document.text, start, end))
    whole = (Span(found.floor(formula.start), found.ceil(formula.end)) for formula in _formulas(document, start, end))
    formulas = [formula for formula in whole if fits(document.text[formula.start : formula.end])]
    return _merged(sorted([*found, *formulas])) if formulas else found


def _formulas(document: ParsedDocument, start: int, end: int) -> Iterator[Span]:
    for found in FORMULA.finditer(document.text, start, end):
        yield Span(found.start(), found.end())
    for block in blocks_between(document, start, end):
        if block.kind is BlockKind.FORMULA and start <= block.start and block.end <= end:
            yield Span(block.start, block.end)


def _merged(spans: Iterable[Span]) -> Atoms:
    starts: list[int] = []
    ends: list[int] = []
    for span in spans:
        if ends and span.start < ends[-1]:
            ends[-1] = max(ends[-1], span.end)
        else:
            starts.append(span.start)
            ends.append(span.end)
    return Atoms(starts, ends)
