"""The numbers that Word writes before list items and headings but keeps out of their text."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Mapping
from typing import NamedTuple

from ragstone.parsing.docx_text import W
from ragstone.parsing.elements import Element

_PLACEHOLDER = re.compile(r"%([1-9])")
_ROMAN = ((1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"), (40, "xl"))
_SMALL_ROMAN = ((10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i"))
_HIGHEST_ROMAN = 4_000


class ListPlace(NamedTuple):
    """The list that a paragraph belongs to, and its level in it from 0."""

    number_id: str
    level: int


class _Level(NamedTuple):
    format: str
    text: str
    start: int


class Numbering:
    """A document's lists; asked for each paragraph in order, it counts them as Word does."""

    def __init__(self, root: Element | None) -> None:
        abstract = {item.get(f"{W}abstractNumId"): _levels(item) for item in _each(root, "abstractNum")}
        self._kinds = {item.get(f"{W}numId"): value_of(item, "abstractNumId") or "" for item in _each(root, "num")}
        self._levels: Mapping[str, Mapping[int, _Level]] = abstract
        self._counts: defaultdict[str, dict[int, int]] = defaultdict(dict)

    def label(self, place: ListPlace) -> str:
        """What stands before the next paragraph at this place: "-" for bullets, else a number such as "2.1."."""
        kind = self._kinds.get(place.number_id, "")
        levels = self._levels.get(kind, {})
        level = levels.get(place.level)
        if level is None or level.format == "bullet":
            return "-"
        counts = self._counts[kind]
        counts[place.level] = counts.get(place.level, level.start - 1) + 1
        for deeper in [known for known in counts if known > place.level]:
            del counts[deeper]
        return _PLACEHOLDER.sub(lambda match: _shown(levels, counts, int(match[1]) - 1), level.text)


def value_of(parent: Element, name: str) -> str | None:
    """The value of a property such as `<w:pStyle w:val="…"/>`; None if it isn't there."""
    found = parent.find(f"{W}{name}")
    return found.get(f"{W}val", "") if found is not None else None


def number_of(parent: Element, name: str, default: int, *, most: int = 1_000_000) -> int:
    """The value of a property as a whole number; `default` where it is none."""
    stated = value_of(parent, name) or ""
    return min(int(stated), most) if stated.isascii() and stated.isdigit() and len(stated) < 9 else default


def _each(root: Element | None, name: str) -> list[Element]:
    return list(root.iterfind(f"{W}{name}")) if root is not None else []


def _levels(abstract: Element) -> dict[int, _Level]:
    levels: dict[int, _Level] = {}
    for element in abstract.iterfind(f"{W}lvl"):
        shown = _Level(value_of(element, "numFmt") or "decimal", value_of(element, "lvlText") or "", 0)
        levels[len(levels)] = shown._replace(start=number_of(element, "start", 1))
    return levels


def _shown(levels: Mapping[int, _Level], counts: Mapping[int, int], level: int) -> str:
    kind = levels.get(level, _Level("decimal", "", 1))
    return _FORMATS.get(kind.format, str)(counts.get(level, kind.start))


def _letters(number: int) -> str:
    """a to z, then aa to zz."""
    return chr(ord("a") + (number - 1) % 26) * ((number - 1) // 26 + 1) if 0 < number < 26 * 10 else str(number)


def _roman(number: int) -> str:
    if not 0 < number < _HIGHEST_ROMAN:
        return str(number)
    digits = ""
    for value, letters in (*_ROMAN, *_SMALL_ROMAN):
        digits += letters * (number // value)
        number %= value
    return digits


_FORMATS: Mapping[str, Callable[[int], str]] = {
    "decimalZero": "{:02}".format,
    "lowerLetter": _letters,
    "upperLetter": lambda number: _letters(number).upper(),
    "lowerRoman": _roman,
    "upperRoman": lambda number: _roman(number).upper(),
}
