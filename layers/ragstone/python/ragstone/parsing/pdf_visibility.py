"""Which words of a page a reader can see; the others may be there to mislead a machine."""

from __future__ import annotations

from collections.abc import Sequence

from ragstone.parsing.pdf_pdfium import PdfiumPage
from ragstone.parsing.pdf_words import Ink, Word, turned

_SMALLEST = 0.001
"""Height of the smallest letters that can be read, as a part of the page's longer side; at most one point."""
_UNLIKE_PAPER = 24
_GROUND = 0.4


def visible(words: Sequence[Word], page: PdfiumPage) -> list[Word]:
    """The words that stand on the page in letters of some size, and that differ from what is behind them.

    Letters without ink are read where pictures fill the page: there they are what a scanner's software read in them.
    """
    left, bottom, right, top = page.box
    smallest = min(1.0, _SMALLEST * max(right - left, top - bottom))
    words = [
        word
        for word, (x, y) in zip(words, map(_middle, words), strict=True)
        if left <= x <= right and bottom <= y <= top and word.style.size >= smallest
    ]
    inks = {word.style.ink for word in words}
    if Ink.NONE in inks and not page.is_picture:
        words = [word for word in words if word.style.ink is not Ink.NONE]
    if Ink.PALE in inks:
        words = [word for word in words if word.style.ink is not Ink.PALE or _differs_from_ground(word, page)]
    return words


def _differs_from_ground(word: Word, page: PdfiumPage) -> bool:
    """Whether enough of a pale word's place is darker than paper to be its ground and not only letters over it."""
    low, high = word.y - 0.1 * word.style.size, word.y + 0.6 * word.style.size
    levels = page.shown(turned(word.left, low, -word.turn), turned(word.right, high, -word.turn))
    dark = sum(level < 255 - _UNLIKE_PAPER for level in levels)
    return dark > _GROUND * len(levels)


def _middle(word: Word) -> tuple[float, float]:
    x = (word.left + word.right) / 2
    return turned(x, word.y, -word.turn) if word.turn else (x, word.y)
