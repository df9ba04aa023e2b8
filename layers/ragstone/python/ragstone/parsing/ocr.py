"""Reading scans: the port that OCR engines fulfil, and their lines laid out as a page's text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import atan2, degrees, dist
from statistics import median
from typing import NamedTuple, Protocol

from ragstone.parsing.pdf_layout import PageItem, laid_out
from ragstone.parsing.pdf_words import Style, Word, by_direction, turned

_SAME_SIZE = 0.72, 1.4
_ASCENT = 0.25
"""How far a line of letters stands above the lower edge of its box, in heights of the box."""

Point = tuple[float, float]


class OcrLine(NamedTuple):
    """A line of text and the corners of its box, in points from the lower left corner of the page.

    The corners are the upper left, upper right, lower right and lower left one for somebody who reads the line. Pages
    may be turned, all of their lines alike.
    """

    text: str
    corners: tuple[Point, Point, Point, Point]

    @property
    def height(self) -> float:
        return dist(self.corners[0], self.corners[3])


class Ocr(Protocol):
    """Reads text in pictures of pages: `pages_at_once` are best read together, and take at most `seconds`."""

    @property
    def name(self) -> str: ...
    @property
    def pages_at_once(self) -> int: ...
    @property
    def seconds(self) -> float: ...
    def read(self, content: bytes, pages: Sequence[int]) -> Mapping[int, Sequence[OcrLine]]:
        """The lines of a PDF's pages with these numbers (from 1), and nothing of those that it can't read.

        Raises TransientError or PermanentError.
        """
        ...


def recognised(lines: Sequence[OcrLine]) -> list[PageItem]:
    """The lines in reading order; boxes that are about as high as most are taken for letters of one size."""
    lines = [line for line in lines if line.text.strip()]
    usual = median(line.height for line in lines) if lines else 0.0
    items: list[PageItem] = []
    for group in by_direction(_word(line, usual) for line in lines):
        items += laid_out(group, column=items[-1].column + 1 if items else 0)
    return items


def _word(line: OcrLine, usual: float) -> Word:
    (x0, y0), (x1, y1), *_ = line.corners
    turn = round(degrees(atan2(y1 - y0, x1 - x0)) / 90) % 4 * 90
    xs, ys = zip(*(turned(x, y, turn) for x, y in line.corners), strict=True)
    low, high = (factor * usual for factor in _SAME_SIZE)
    size = usual if low <= line.height <= high else line.height
    return Word(line.text, min(xs), max(xs), min(ys) + _ASCENT * line.height, Style("", max(size, 1.0)), turn)
