"""Words of a PDF's page with their places and letters, whichever library read them."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from enum import Enum, auto
from functools import lru_cache
from typing import NamedTuple

_MARKED = re.compile(
    r"bold|black|heavy|demi|[-_]medi|italic|oblique|slanted|caps|[-_](?:it|sc)\b|^(?:cm|sf|ec)(?:ss)?(?:bx|ti|sl|bi|csc)",
    re.I,
)
_MONO = re.compile(r"courier|mono|consol|menlo|typewriter|^(?:cm|sf|ec|lm)(?:vtt|tt)|code|terminal", re.I)
_MATH = re.compile(
    r"^(?:cm(?:mi|sy|ex|bsy)|ms[ab]m|rsfs|euf[mb]|eus[mb]|mt(?:mi|sy|ex)|lmmath|txmi|txsy|pxmi)|math", re.I
)
_SUBSET = re.compile(r"^[A-Z]{6}\+")


class Ink(Enum):
    """How far a reader sees letters: PALE ones only on a dark ground, those without any only in another layer."""

    PLAIN = auto()
    PALE = auto()
    NONE = auto()


class Style(NamedTuple):
    """The letters of a word: `size` is their height in points; `marked` ones are heavy, slanted or small capitals."""

    font: str
    size: float
    marked: bool = False
    mono: bool = False
    math: bool = False
    ink: Ink = Ink.PLAIN


@lru_cache(maxsize=4_096)
def style_of(font: str, size: float, ink: Ink = Ink.PLAIN) -> Style:
    """What a font's name tells: fonts of formulas, of code, heavy and slanted ones are called so."""
    name = _SUBSET.sub("", font)
    marked, mono, math = (bool(pattern.search(name)) for pattern in (_MARKED, _MONO, _MATH))
    return Style(name, size, marked and not math, mono, math, ink)


class Word(NamedTuple):
    """Text without a space; `y` is the line it stands on, `turn` where it runs to in degrees, counter-clockwise."""

    text: str
    left: float
    right: float
    y: float
    style: Style
    turn: int = 0


def by_direction(words: Iterable[Word]) -> list[list[Word]]:
    """The words in groups that run the same way, the most letters first; each group is in reading position."""
    groups: defaultdict[int, list[Word]] = defaultdict(list)
    for word in words:
        groups[word.turn].append(word)
    return sorted(groups.values(), key=lambda group: -sum(len(word.text) for word in group))


def turned(x: float, y: float, turn: int) -> tuple[float, float]:
    """Where a point of the page lies once the page is turned so that text running to `turn` runs to the right."""
    match round(turn / 90) % 4:
        case 1:
            return y, -x
        case 2:
            return -x, -y
        case 3:
            return -y, x
        case _:
            return x, y
