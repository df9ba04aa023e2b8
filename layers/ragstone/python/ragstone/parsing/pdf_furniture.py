"""Running heads, feet and page numbers: what pages carry at their edges and nobody wants to read in mid-sentence."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

_EDGE = 3
_FEWEST_PAGES = 3
_SHARE_OF_PAGES = 0.4
_LONGEST_NUMBER = 6
_LONGEST_LINE = 200
_NUMBER = re.compile(r"\d+")
_PAGE_NUMBER = re.compile(
    r"[\W_]*(?:(?:page|seite|pag[ei]na|p[.])\s*)?(\d+)(?:\s*(?:/|of|von|de|sur)\s*\d+)?[\W_]*", re.I
)

SizedLine = tuple[str, int]
"""A line's text and the size of its letters in points."""


class _Pattern(NamedTuple):
    """A line of one size as it is, or with one of its numbers left open and how far that number is from the page's."""

    text: str
    size: int
    offset: int | None = None


def furniture(pages: Sequence[Sequence[SizedLine]]) -> list[set[int]]:
    """Which lines of each page (in order, first page first) repeat at the edges of most pages, by index.

    A line repeats if it is the same, or the same but for one number that counts the pages. No page is emptied by it.
    """
    repeated = _repeated(pages)
    found = [_found(lines, number, repeated) for number, lines in enumerate(pages, start=1)]
    return [gone if len(gone) < len(lines) else set() for gone, lines in zip(found, pages, strict=True)]


def _repeated(pages: Sequence[Sequence[SizedLine]]) -> set[_Pattern]:
    seen: Counter[_Pattern] = Counter()
    for number, lines in enumerate(pages, start=1):
        seen.update({pattern for at in _edges(lines) for pattern in _patterns(lines[at], number)})
    enough = max(_FEWEST_PAGES, _SHARE_OF_PAGES * sum(map(bool, pages)))
    return {pattern for pattern, count in seen.items() if count >= enough}


def _found(lines: Sequence[SizedLine], number: int, repeated: set[_Pattern]) -> set[int]:
    return {
        at
        for at in _edges(lines)
        if _is_page_number(lines[at][0], number) or not repeated.isdisjoint(_patterns(lines[at], number))
    }


def _edges(lines: Sequence[SizedLine]) -> Sequence[int]:
    """Which of the first and the last few lines may be furniture."""
    positions = range(len(lines))
    edges = positions if len(lines) <= 2 * _EDGE else [*positions[:_EDGE], *positions[-_EDGE:]]
    return [at for at in edges if len(lines[at][0]) <= _LONGEST_LINE]


def _patterns(line: SizedLine, number: int) -> Iterator[_Pattern]:
    text, size = " ".join(line[0].split()), line[1]
    yield _Pattern(text, size)
    for match in _NUMBER.finditer(text):
        if len(match[0]) <= _LONGEST_NUMBER:
            yield _Pattern(f"{text[: match.start()]}#{text[match.end() :]}", size, int(match[0]) - number)


def _is_page_number(text: str, number: int) -> bool:
    match = _PAGE_NUMBER.fullmatch(text.strip())
    return match is not None and len(match[1]) <= _LONGEST_NUMBER and int(match[1]) == number
