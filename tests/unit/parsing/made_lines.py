"""Lines of a PDF's page as its readers make them, for the tests of what becomes of them."""

from __future__ import annotations

from collections.abc import Sequence

from ragstone.parsing.pdf_lines import PageLine, Piece
from ragstone.parsing.pdf_words import Style, style_of

BODY = style_of("Times-Roman", 10.0)
BOLD = style_of("Times-Bold", 10.0)
LARGE = style_of("Times-Roman", 14.0)
CODE = style_of("Courier", 10.0)
FORMULA = style_of("CMMI10", 10.0)
COLUMNS = (60.0, 160.0, 260.0)
_LETTER = 0.5


def line(
    *cells: str, y: float = 500, columns: Sequence[float] = COLUMNS, style: Style = BODY, gap: bool = False
) -> PageLine:
    """A line of pieces that begin at the columns; empty ones are left out, letters are half as wide as high."""
    pieces = [
        Piece(text, left, left + _LETTER * style.size * len(text), y, style, float(style.math))
        for text, left in zip(cells, columns, strict=False)
        if text
    ]
    return PageLine(tuple(pieces), gap=gap)


def below(*lines: PageLine, top: float = 700, leading: float = 12) -> list[PageLine]:
    """The lines one below the other."""
    return [
        PageLine(tuple(piece._replace(y=top - leading * at) for piece in line.pieces), gap=line.gap, column=line.column)
        for at, line in enumerate(lines)
    ]
