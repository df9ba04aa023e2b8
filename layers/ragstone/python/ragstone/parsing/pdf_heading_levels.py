"""How deep a heading lies: by its number, by its letters, and by what the outline says of others like it."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from ragstone.parsing.pdf_lines import PageLine
from ragstone.parsing.pdf_outline import FoundHeading

_NUMBER = re.compile(r"(?:section\s+|§\s*)?((?:\d{1,2}|(?-i:[A-Z])(?=\.))(?:\.\d{1,3})*)\.?\s+(?=\S)", re.I)
_LETTER = re.compile(r"[A-HJ-UWYZ]\.\s")
ROMAN = re.compile(r"[IVX]{1,6}\.\s+\S")
_PART = re.compile(
    r"(?:chapter|part|appendix|annex|kapitel|teil|anhang|chapitre|partie|annexe|capítulo|capitolo|hoofdstuk)\s+"
    r"[\divxlc]+\b|第\s*[\d一二三四五六七八九十百]+\s*[章编篇部]",
    re.I,
)
_SMALLER = 0.94
_DEEPEST = 6


class Look(NamedTuple):
    """How letters look that belong together: their height to half a point, and whether they are heavy or slanted."""

    size: float
    marked: bool


class Candidate(NamedTuple):
    """Lines of a page that may be a heading; `depth`: how many parts its number has, None without one."""

    at: int
    lines: int
    text: str
    look: Look
    depth: int | None


def look_of(line: PageLine) -> Look:
    return Look(round(line.size * 2) / 2, all(piece.style.marked for piece in line.pieces))


def depth_of(text: str) -> int | None:
    """How deep a number puts a heading: 3 for "3.2.1 Introduction", 1 for "Chapter 4"; None without a number."""
    if _PART.match(text) or ROMAN.match(text):
        return 1
    match = _NUMBER.match(text)
    return match[1].count(".") + 1 if match else None


class Levels:
    """What level each look and each number stands for in one document."""

    def __init__(self, candidates: Sequence[Candidate], outlined: Sequence[tuple[Look, FoundHeading]]) -> None:
        told: defaultdict[Look, Counter[int]] = defaultdict(Counter)
        beyond: Counter[int] = Counter()
        for look, heading in outlined:
            told[look][heading.level] += 1
            if (depth := depth_of(heading.text)) is not None:
                beyond[heading.level - depth] += 1
        self._beyond = beyond.most_common(1)[0][0] if beyond else 0
        self._letters_below = any(ROMAN.match(candidate.text) for candidate in candidates)
        for candidate in candidates:
            level = self._numbered(candidate)
            told[candidate.look].update([level] if level else [])
        self._by_look = dict(_ranked(told))

    def of(self, candidate: Candidate) -> int:
        return min(_DEEPEST, self._numbered(candidate) or self._by_look[candidate.look])

    def _numbered(self, candidate: Candidate) -> int | None:
        """The level that a number tells; outlines may count parts above chapters, or the title above all.

        Where "II." is a heading, "A." is one below it.
        """
        if candidate.depth is None:
            return None
        below = self._letters_below and _LETTER.match(candidate.text) is not None
        return max(1, candidate.depth + self._beyond + below)


def _ranked(told: Mapping[Look, Counter[int]]) -> Iterator[tuple[Look, int]]:
    """Looks from the largest on: with the level most told of them, or one below the look that is clearly larger."""
    level, size = 0, float("inf")
    for look in sorted(told, key=lambda look: (-look.size, not look.marked)):
        if told[look]:
            level = told[look].most_common(1)[0][0]
        elif look.size < _SMALLER * size:
            level += 1
        size = look.size
        yield look, max(1, level)
