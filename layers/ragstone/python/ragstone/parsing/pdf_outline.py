"""A PDF's bookmarks, found again as headings among the lines of the pages they point to."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

_MOST_LINES = 3
_NUMBERING = re.compile(
    r"\s*(?:(?:chapter|part|section|kapitel|teil)\s+)?(?:[\divxlc]+|[a-h])(?:\.[\da-z]+)*[.:)]?\s+", re.I
)
_NOT_WORDS = re.compile(r"[\W_]+")


class Bookmark(NamedTuple):
    """An entry of the outline: its level and the page it points to, both from 1."""

    title: str
    level: int
    page: int


class FoundHeading(NamedTuple):
    """A bookmark's title as its page shows it: on `lines` lines from line `at`, which counts from 0."""

    text: str
    level: int
    at: int
    lines: int


def headings_on_page(lines: Sequence[str], bookmarks: Sequence[Bookmark]) -> Mapping[int, FoundHeading]:
    """One page's headings by their first line, given its bookmarks in order; titles it doesn't show are left out."""
    if not bookmarks:
        return {}
    places = _places(lines)
    found: dict[int, FoundHeading] = {}
    after = 0
    for bookmark in bookmarks:
        at = next((place for place in _places_of(bookmark.title, places) if place[0] >= after), None)
        if at is not None:
            start, count = at
            found[start] = FoundHeading(_joined(lines, start, count), bookmark.level, start, count)
            after = start + count
    return found


def _places(lines: Sequence[str]) -> Mapping[str, list[tuple[int, int]]]:
    """Where each one to three lines stand, by their letters, with and without a number in front."""
    places: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
    for start in range(len(lines)):
        for count in range(1, min(_MOST_LINES, len(lines) - start) + 1):
            for key in _keys(_joined(lines, start, count)):
                places[key].append((start, count))
    return places


def _places_of(title: str, places: Mapping[str, list[tuple[int, int]]]) -> Iterator[tuple[int, int]]:
    for key in sorted(_keys(title), key=len, reverse=True):
        yield from places.get(key, ())


def _keys(text: str) -> set[str]:
    both = (_NOT_WORDS.sub("", text).casefold(), _NOT_WORDS.sub("", _unnumbered(text)).casefold())
    return set(filter(None, both))


def _unnumbered(text: str) -> str:
    match = _NUMBERING.match(text)
    return text[match.end() :] if match else text


def _joined(lines: Sequence[str], start: int, count: int) -> str:
    return " ".join(line.strip() for line in lines[start : start + count])
