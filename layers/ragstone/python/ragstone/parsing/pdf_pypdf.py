"""What pypdf reads of a page's text: the rescue where PDFium sees nothing or only unknown letters."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import hypot
from typing import TYPE_CHECKING, Any

from ragstone.parsing.cleaning import clean
from ragstone.parsing.pdf_lines import PageLine, Piece, with_gaps
from ragstone.parsing.pdf_words import Style, style_of

if TYPE_CHECKING:
    from pypdf import PageObject

_SAME_HEIGHT = 0.4
_LETTER_WIDTH = 0.5


def page_lines(page: PageObject) -> list[PageLine]:
    """The lines of a page in the order in which it draws them; raises what pypdf raises."""
    lines = list(_side_by_side(_broken_at_newlines(_pieces(page))))
    columns: list[list[PageLine]] = []
    for line in lines:
        if columns and columns[-1][-1].y - line.y >= -line.size:
            columns[-1].append(line)
        else:
            columns.append([line])
    return [replace(line, column=number) for number, column in enumerate(columns) for line in with_gaps(column)]


def _pieces(page: PageObject) -> list[Piece]:
    pieces: list[Piece] = []

    def visit(text: str, cm: Sequence[float], tm: Sequence[float], font: Any, size: float) -> None:
        if text:
            x, y = (tm[4] * cm[at] + tm[5] * cm[at + 2] + cm[at + 4] for at in (0, 1))
            scale = hypot(tm[2], tm[3]) * hypot(cm[2], cm[3]) or 1.0
            style = style_of(str(font.get("/BaseFont", "")).lstrip("/") if font else "", abs(size * scale))
            pieces.append(_piece(clean(text), x, y, style))

    page.extract_text(visitor_text=visit)
    return pieces


def _piece(text: str, left: float, y: float, style: Style) -> Piece:
    """Letters are taken to be half as wide as high."""
    return Piece(text, left, left + _LETTER_WIDTH * style.size * len(text), y, style, float(style.math))


def _broken_at_newlines(pieces: Sequence[Piece]) -> Iterator[list[Piece]]:
    line: list[Piece] = []
    for piece in pieces:
        first, *others = piece.text.split("\n")
        if first.strip() or (first and line):
            line.append(_piece(first, piece.left, piece.y, piece.style))
        for text in others:
            if line:
                yield line
            line = [_piece(text, piece.left, piece.y, piece.style)] if text.strip() else []
    if line:
        yield line


def _side_by_side(lines: Iterator[list[Piece]]) -> Iterator[PageLine]:
    """Lines that stand at the same height, one to the right of the other, are one."""
    held: list[Piece] = []
    for line in map(_joined, lines):
        if held and _continues(held[-1], line):
            held.append(line)
        else:
            if held:
                yield PageLine(tuple(held))
            held = [line]
    if held:
        yield PageLine(tuple(held))


def _joined(pieces: Sequence[Piece]) -> Piece:
    """Pieces drawn one after the other, with their own spaces, as one."""
    letters = max(pieces, key=lambda piece: (len(piece.text.strip()), piece.size))
    text = "".join(piece.text for piece in pieces).strip()
    return _piece(text, pieces[0].left, letters.y, letters.style)


def _continues(left: Piece, right: Piece) -> bool:
    return abs(left.y - right.y) < _SAME_HEIGHT * left.size and right.left > left.left + _LETTER_WIDTH * left.size
