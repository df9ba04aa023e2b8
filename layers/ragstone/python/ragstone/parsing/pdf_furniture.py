"""Running heads, feet and page numbers: what pages carry at their edges and nobody wants to read in mid-sentence."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import takewhile, zip_longest
from typing import NamedTuple

_EDGE = 3
_SAME_HEIGHT = 2.0
_FEWEST_PAGES = 3
_SHARE_OF_PAGES = 0.4
_LONGEST_NUMBER = 6
_LONGEST_LINE = 200
_NUMBER = re.compile(r"\d+")
_PAGE_NUMBER = re.compile(
    r"[\W_]*(?:(?:page|seite|pag[ei]na|p[.])\s*)?(\d+|[ivxlc]+)(?:\s*(?:/|of|von|de|sur)\s*\d+)?[\W_]*", re.I
)


class EdgeLine(NamedTuple):
    """A line's text, the size of its letters in points, and how high on the page it stands."""

    text: str
    size: int
    y: float


class _Pattern(NamedTuple):
    """A line of one size as it is, or with one of its numbers left open and how far that number is from the page's."""

    text: str
    size: int
    offset: int | None = None


def furniture(pages: Sequence[Sequence[EdgeLine]], *, labels: Sequence[str] = (), first: int = 1) -> list[set[int]]:
    """Which lines of each page repeat at the upper and lower edges of most pages, by index.

    A line repeats if it is the same, or the same but for one number that counts the pages. A line that only says the
    page's number (they count from `first`) or its label ("xii") goes too. Only what stands outside of all else is an
    edge, and pages that have more in common than that are copies, which stay. No page is emptied by it.
    """
    repeated = _repeated(pages)
    gone: list[set[int]] = []
    for number, (lines, label) in enumerate(zip_longest(pages, labels[: len(pages)]), start=first):
        names = {str(number), (label or "").casefold()}
        alike = {at for at, line in enumerate(lines) if _is_gone(line, number - first + 1, names, repeated)}
        rows = _rows(lines)
        found = _outside(rows, alike) | _outside(rows[::-1], alike)
        gone.append(found if len(found) < len(lines) else set())
    return gone


def _repeated(pages: Sequence[Sequence[EdgeLine]]) -> set[_Pattern]:
    seen: Counter[_Pattern] = Counter()
    for number, lines in enumerate(pages, start=1):
        rows = _rows(lines)
        places = {at for row in (*rows[: _EDGE + 1], *rows[-_EDGE - 1 :]) for at in row}
        seen.update({pattern for at in places for pattern in _patterns(lines[at], number)})
    enough = max(_FEWEST_PAGES, _SHARE_OF_PAGES * sum(map(bool, pages)))
    return {pattern for pattern, count in seen.items() if count >= enough}


def _is_gone(line: EdgeLine, number: int, names: set[str], repeated: set[_Pattern]) -> bool:
    return _page_number(line.text) in names or not repeated.isdisjoint(_patterns(line, number))


def _rows(lines: Sequence[EdgeLine]) -> list[list[int]]:
    """The indices of the lines from top to bottom, those of one height together."""
    rows: list[list[int]] = []
    for at in sorted(range(len(lines)), key=lambda at: -lines[at].y):
        if rows and lines[rows[-1][0]].y - lines[at].y < _SAME_HEIGHT:
            rows[-1].append(at)
        else:
            rows.append([at])
    return rows


def _outside(rows: Sequence[Sequence[int]], alike: set[int]) -> set[int]:
    """What is alike in the rows from one edge on, up to the first one that holds nothing alike."""
    edge = list(takewhile(lambda row: not alike.isdisjoint(row), rows[: _EDGE + 1]))
    return set() if len(edge) > _EDGE else alike & {at for row in edge for at in row}


def _patterns(line: EdgeLine, number: int) -> Iterator[_Pattern]:
    text = " ".join(line.text.split())
    if len(text) > _LONGEST_LINE:
        return
    yield _Pattern(text, line.size)
    for match in _NUMBER.finditer(text):
        if len(match[0]) <= _LONGEST_NUMBER:
            yield _Pattern(f"{text[: match.start()]}#{text[match.end() :]}", line.size, int(match[0]) - number)


def _page_number(text: str) -> str | None:
    """What a line says that says only the number of its page."""
    match = _PAGE_NUMBER.fullmatch(text.strip())
    return match[1].casefold() if match and len(match[1]) <= _LONGEST_NUMBER else None
