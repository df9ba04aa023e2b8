"""A PDF page's words put together to pieces and lines."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import NamedTuple

from ragstone.parsing.cleaning import clean
from ragstone.parsing.pdf_words import Style, Word

_SAME_LINE = 0.5
_SMALL = 0.85
_RAISED = 0.75
_OVERLAP = 0.5
_WIDEST_SPACE = 0.7
_COLUMN_GAP = 2.0
_GAP = 1.25
_OTHER_SIZE = 1.15
_FEWEST_INDENTED, _MOST_INDENTED = 0.8, 4.0
_MOSTLY_INDENTED = 0.35
_RIGHT_TO_LEFT = "\u0590", "\u08ff"


class Piece(NamedTuple):
    """Words of one line without a wide gap between them, in points; `math`: the share of letters in formula fonts."""

    text: str
    left: float
    right: float
    y: float
    style: Style
    math: float = 0.0

    @property
    def size(self) -> float:
        return self.style.size

    @property
    def top(self) -> float:
        return self.y + 0.75 * self.size

    @property
    def bottom(self) -> float:
        return self.y - 0.25 * self.size


@dataclass(frozen=True, slots=True)
class PageLine:
    """The pieces of one line; `gap`: more than the usual space is above it; `column` counts columns of text."""

    pieces: tuple[Piece, ...]
    gap: bool = False
    column: int = 0

    @property
    def text(self) -> str:
        return " ".join(piece.text for piece in self.pieces)

    @property
    def left(self) -> float:
        return min(piece.left for piece in self.pieces)

    @property
    def right(self) -> float:
        return max(piece.right for piece in self.pieces)

    @property
    def largest(self) -> Piece:
        return max(self.pieces, key=lambda piece: piece.size)

    @property
    def y(self) -> float:
        return self.largest.y

    @property
    def size(self) -> float:
        return self.largest.size

    @property
    def has_columns(self) -> bool:
        """Whether the pieces stand apart as the cells of a table do."""
        return any(right.left - left.right > _COLUMN_GAP * left.size for left, right in pairwise(self.pieces))


def pieces_of(words: Iterable[Word]) -> list[Piece]:
    """Words in the order in which they are drawn, put together where they follow each other on a line."""
    pieces: list[Piece] = []
    held: list[Word] = []
    for word in words:
        if held and not _follows(held[-1], word):
            pieces.append(_piece(held))
            held = []
        held.append(word)
    return [*pieces, _piece(held)] if held else pieces


def lines_of(pieces: Iterable[Piece], column: int) -> list[PageLine]:
    """The lines of one column from top to bottom, each from left to right (or the other way, if its letters do)."""
    rows: list[list[Piece]] = []
    for piece in sorted(pieces, key=lambda piece: -piece.y):
        if rows and _same_line(rows[-1][0], piece):
            rows[-1].append(piece)
        else:
            rows.append([piece])
    return list(with_gaps([PageLine(tuple(_joined(row)), column=column) for row in rows]))


def with_gaps(lines: Sequence[PageLine]) -> Iterator[PageLine]:
    """The lines of one column, each told whether more than the usual space, or an indent, sets it off."""
    leadings = _usual_leadings(lines)
    indented = _indented(lines)
    for at, line in enumerate(lines):
        gap = False
        if at:
            above = lines[at - 1]
            down = above.y - line.y
            sizes = sorted((above.size, line.size))
            gap = sizes[1] > _OTHER_SIZE * sizes[0] or down > _GAP * leadings.get(round(line.size), down)
        yield replace(line, gap=gap or at in indented)


def _follows(left: Word, right: Word) -> bool:
    smaller, size = sorted((left.style.size, right.style.size))
    apart = _SAME_LINE if smaller > _SMALL * size else _RAISED
    if abs(left.y - right.y) > apart * size:
        return False
    gap = max(right.left - left.right, left.left - right.right)
    return -_OVERLAP * size < gap < _WIDEST_SPACE * size


def _piece(words: Sequence[Word]) -> Piece:
    text = clean(" ".join([word.text for word in words]))
    left, right = min([word.left for word in words]), max([word.right for word in words])
    first = words[0]
    if all(word.style is first.style for word in words):
        return Piece(text, left, right, first.y, first.style, float(first.style.math))
    letters: Counter[Style] = Counter()
    for word in words:
        letters[word.style] += len(word.text)
    style = max(letters, key=letters.__getitem__)
    y = next(word.y for word in words if word.style == style)
    math = sum(count for style, count in letters.items() if style.math) / letters.total()
    return Piece(text, left, right, y, style._replace(marked=all(style.marked for style in letters)), math)


def _same_line(one: Piece, other: Piece) -> bool:
    return abs(one.y - other.y) < _SAME_LINE * min(one.size, other.size)


def _joined(row: Sequence[Piece]) -> Iterator[Piece]:
    """A line's pieces in reading direction; those without a wide gap between them become one."""
    backwards = sum(map(_reads_leftwards, row)) * 2 > len(row)
    held: Piece | None = None
    for piece in sorted(row, key=lambda piece: -piece.right if backwards else piece.left):
        gap = 0.0 if held is None else (held.left - piece.right if backwards else piece.left - held.right)
        if held is not None and gap < _WIDEST_SPACE * max(held.size, piece.size):
            larger = max(held, piece, key=lambda piece: (piece.size, len(piece.text)))
            held = larger._replace(
                text=f"{held.text} {piece.text}", left=min(held.left, piece.left), right=max(held.right, piece.right)
            )
            continue
        if held is not None:
            yield held
        held = piece
    if held is not None:
        yield held


def _reads_leftwards(piece: Piece) -> bool:
    first, last = _RIGHT_TO_LEFT
    return sum(first <= character <= last for character in piece.text) * 2 > len(piece.text)


def _indented(lines: Sequence[PageLine]) -> set[int]:
    """Which lines begin a paragraph by standing further in than the line above and the line below."""
    found = {
        at
        for at in range(1, len(lines) - 1)
        if all(
            _FEWEST_INDENTED * lines[at].size < lines[at].left - lines[beside].left < _MOST_INDENTED * lines[at].size
            for beside in (at - 1, at + 1)
        )
    }
    return found if len(found) < _MOSTLY_INDENTED * len(lines) else set()


def _usual_leadings(lines: Sequence[PageLine]) -> dict[int, float]:
    """The distance from line to line in running text, by size: the lower quartile, since paragraphs add to it."""
    steps: defaultdict[int, list[float]] = defaultdict(list)
    for above, line in pairwise(lines):
        down = above.y - line.y
        if round(above.size) == round(line.size) and 0.5 * line.size < down < 4 * line.size:
            steps[round(line.size)].append(down)
    return {size: sorted(found)[len(found) // 4] for size, found in steps.items()}
