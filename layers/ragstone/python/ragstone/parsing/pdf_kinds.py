"""What the lines of a PDF's page are: code, formulas and list items, told by their letters."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from ragstone.parsing.lines import is_list_item
from ragstone.parsing.pdf_lines import PageLine
from ragstone.types import BlockKind

_MOSTLY_MATH = 0.5
_SET_IN = 1.5
_FEW_SIGNS = 6
_SMALL = 0.85
_NEAR = 1.3
_FEWEST_CODE_LINES = 2
_CHARACTER = 0.6
"""How wide letters of one width are, in heights."""


def kinds_of(lines: Sequence[PageLine]) -> list[BlockKind]:
    """The kind of each of the lines, which follow each other in one column."""
    left = min(line.left for line in lines)
    kinds = [_kind(line, left) for line in lines]
    for code, run in groupby(range(len(lines)), key=lambda at: kinds[at] is BlockKind.CODE):
        places = list(run)
        if code and len(places) < _FEWEST_CODE_LINES:
            kinds[places[0]] = BlockKind.PARAGRAPH
    for order in (range(1, len(lines)), range(len(lines) - 2, -1, -1)):
        step = order.step
        for at in order:
            if kinds[at - step] is BlockKind.FORMULA and _belongs(lines[at], lines[at - step]):
                kinds[at] = BlockKind.FORMULA
    return kinds


def indent_of(line: PageLine, left: float) -> str:
    """The spaces with which a line of code begins."""
    return " " * round(max(0.0, line.left - left) / (_CHARACTER * line.size))


def _kind(line: PageLine, left: float) -> BlockKind:
    """Formulas stand further in than the text around them; others are part of a sentence."""
    letters = sum(len(piece.text) for piece in line.pieces)
    if all(piece.style.mono for piece in line.pieces):
        return BlockKind.CODE
    math = sum(piece.math * len(piece.text) for piece in line.pieces)
    if math > _MOSTLY_MATH * letters and line.left - left > _SET_IN * line.size:
        return BlockKind.FORMULA
    return BlockKind.LIST if is_list_item(line.text) else BlockKind.PARAGRAPH


def _belongs(line: PageLine, formula: PageLine) -> bool:
    """Whether small letters or a few signs above or below a formula are its limits, numerators or denominators."""
    near = line.column == formula.column and abs(line.y - formula.y) < _NEAR * formula.size
    return near and (len(line.text) <= _FEW_SIGNS or line.size < _SMALL * formula.size)
