"""What stands where on a PDF's page: pypdf's pieces of text, put together to lines."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import hypot
from typing import TYPE_CHECKING, Any

from ragstone.parsing.cleaning import clean

if TYPE_CHECKING:
    from pypdf import PageObject

_SAME_HEIGHT = 0.4
_GAP = 1.25
_OTHER_SIZE = 1.15
_LETTER_WIDTH = 0.5
_COLUMN_GAP = 2.0


@dataclass(frozen=True, slots=True)
class Piece:
    """Text that a page draws in one go; `x` and `y` are where it begins, `size` its font's height, all in points."""

    text: str
    x: float
    y: float
    size: float
    font: str = ""

    @property
    def end(self) -> float:
        """Where the piece ends, if its letters are half as wide as high."""
        return self.x + _LETTER_WIDTH * self.size * len(self.text)


@dataclass(frozen=True, slots=True)
class PageLine:
    """The pieces of one line; `gap`: more than the usual space is above it; `column` counts columns of text."""

    pieces: tuple[Piece, ...]
    gap: bool = False
    column: int = 0

    @property
    def text(self) -> str:
        return "".join(piece.text for piece in self.pieces)

    @property
    def y(self) -> float:
        return max(self.pieces, key=lambda piece: piece.size).y

    @property
    def size(self) -> float:
        return max(piece.size for piece in self.pieces)

    @property
    def has_columns(self) -> bool:
        """Whether the pieces stand apart as the cells of a table do."""
        return any(right.x - left.end > _COLUMN_GAP * left.size for left, right in pairwise(self.pieces))


def page_lines(page: PageObject) -> list[PageLine]:
    """The lines of a page in the order in which it draws them; raises what pypdf raises."""
    lines = list(_side_by_side(_broken_at_newlines(_pieces(page))))
    return list(_placed(lines))


def _pieces(page: PageObject) -> list[Piece]:
    pieces: list[Piece] = []

    def visit(text: str, cm: Sequence[float], tm: Sequence[float], font: Any, size: float) -> None:
        if text:
            x, y = (tm[4] * cm[at] + tm[5] * cm[at + 2] + cm[at + 4] for at in (0, 1))
            scale = hypot(tm[2], tm[3]) * hypot(cm[2], cm[3]) or 1.0
            pieces.append(Piece(clean(text), x, y, size * scale, str(font.get("/BaseFont", "")) if font else ""))

    page.extract_text(visitor_text=visit)
    return pieces


def _broken_at_newlines(pieces: Sequence[Piece]) -> Iterator[list[Piece]]:
    line: list[Piece] = []
    for piece in pieces:
        first, *others = piece.text.split("\n")
        if first.strip() or (first and line):
            line.append(replace(piece, text=first))
        for text in others:
            if line:
                yield line
            line = [replace(piece, text=text)] if text.strip() else []
    if line:
        yield line


def _side_by_side(lines: Iterator[list[Piece]]) -> Iterator[PageLine]:
    """Lines that stand at the same height, one to the right of the other, are one."""
    held: list[Piece] = []
    for line in lines:
        if held and _continues(held[-1], line[0]):
            held += [replace(line[0], text=f" {line[0].text}"), *line[1:]]
        else:
            if held:
                yield PageLine(tuple(held))
            held = line
    if held:
        yield PageLine(tuple(held))


def _continues(left: Piece, right: Piece) -> bool:
    return abs(left.y - right.y) < _SAME_HEIGHT * left.size and right.x > left.x + _LETTER_WIDTH * left.size


def _placed(lines: Sequence[PageLine]) -> Iterator[PageLine]:
    leadings = _usual_leadings(lines)
    column = 0
    for above, line in zip([None, *lines], lines, strict=False):
        gap = False
        if above is not None:
            down = above.y - line.y
            sizes = sorted((above.size, line.size))
            gap = sizes[1] > _OTHER_SIZE * sizes[0] or down > _GAP * leadings.get(round(line.size), down)
            column += down < -line.size
        yield replace(line, gap=gap, column=column)


def _usual_leadings(lines: Sequence[PageLine]) -> dict[int, float]:
    """The distance from line to line in running text, by size: the lower quartile, since paragraphs add to it."""
    steps: defaultdict[int, list[float]] = defaultdict(list)
    for above, line in pairwise(lines):
        down = above.y - line.y
        if round(above.size) == round(line.size) and 0.5 * line.size < down < 4 * line.size:
            steps[round(line.size)].append(down)
    return {size: sorted(found)[len(found) // 4] for size, found in steps.items()}
