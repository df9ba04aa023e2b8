"""The words of a page as PDFium's text page has them."""

from __future__ import annotations

import ctypes
import re
from collections.abc import Iterator
from functools import partial
from itertools import groupby
from math import atan2, degrees, hypot
from typing import Any

from ragstone.parsing.pdf_library import raw
from ragstone.parsing.pdf_words import Ink, Style, Word, style_of, turned

_WORD = re.compile(r"[^\s\x02\ufffe]+[\x02\ufffe]?")
_BROKEN = str.maketrans("\x02\ufffe", "--")
"""PDFium's own mark for the hyphen of a word that goes on in the next line."""
_RIGHT_TO_LEFT = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")
_INVISIBLE, _FILLED = 3, (0, 4)
"""How text is drawn; in other ways than these its letters have outlines."""
_PALE = 240
_LONGEST_FONT_NAME = 128


def words_of(text_page: Any) -> list[Word]:
    """The words in the order in which the page draws them, visible or not; `text_page` is PDFium's handle."""
    return list(_Glyphs(text_page).words())


class _Glyphs:
    """One page's text, asked character by character only where a word begins and ends."""

    def __init__(self, handle: Any) -> None:
        self._pdfium = raw()
        self._handle = handle
        self._styles: dict[int | None, tuple[Style, int]] = {}
        self._x, self._y = ctypes.c_double(), ctypes.c_double()
        self._rectangle, self._matrix = self._pdfium.FS_RECTF(), self._pdfium.FS_MATRIX()

    def words(self) -> Iterator[Word]:
        for match in _WORD.finditer(self._text()):
            yield self._word(match[0], match.start(), match.end() - 1)

    def _text(self) -> str:
        """The page's characters, each at the index by which it can be asked for."""
        count = self._pdfium.FPDFText_CountChars(self._handle)
        buffer = ctypes.create_string_buffer(2 * (count + 1))
        units = ctypes.cast(buffer, ctypes.POINTER(ctypes.c_ushort))
        if self._pdfium.FPDFText_GetText(self._handle, 0, count, units) - 1 == count:
            text = buffer.raw[: 2 * count].decode("utf-16-le", errors="surrogatepass")
            if len(text) == count:
                return text
        # Characters without a meaning are left out there, and some have several.
        return "".join(map(chr, map(partial(self._pdfium.FPDFText_GetUnicode, self._handle), range(count))))

    def _word(self, text: str, first: int, last: int) -> Word:
        style, turn = self._style(first)
        places = (first, last)
        if _RIGHT_TO_LEFT.search(text):
            text, places = self._ligatures_turned(text, first), range(first, last + 1)
        boxes = [self._box(at) for at in places]
        text, (x, y) = text.translate(_BROKEN), self._origin(first)
        if turn:
            sides = [turned(*corner, turn)[0] for box in boxes for corner in (box[:2], box[2:])]
            return Word(text, min(sides), max(sides), turned(x, y, turn)[1], style, turn)
        return Word(text, min([box[0] for box in boxes]), max([box[2] for box in boxes]), y, style)

    def _ligatures_turned(self, text: str, first: int) -> str:
        """The word with the letters of each ligature, which have one place, the other way round.

        PDFium turns them with the letters around them though they were in reading order.
        """
        places = [self._origin(at) for at in range(first, first + len(text))]
        runs = groupby(range(len(text)), key=places.__getitem__)
        return "".join("".join(text[at] for at in reversed(list(run))) for _, run in runs)

    def _origin(self, at: int) -> tuple[float, float]:
        self._pdfium.FPDFText_GetCharOrigin(self._handle, at, self._x, self._y)
        return self._x.value, self._y.value

    def _box(self, at: int) -> tuple[float, float, float, float]:
        """Left, bottom, right and top of a character's place in its line."""
        box = self._rectangle
        self._pdfium.FPDFText_GetLooseCharBox(self._handle, at, box)
        return box.left, box.bottom, box.right, box.top

    def _style(self, at: int) -> tuple[Style, int]:
        """The style of the text object that a character belongs to, and where it runs to."""
        drawn = self._pdfium.FPDFText_GetTextObject(self._handle, at)
        key = ctypes.cast(drawn, ctypes.c_void_p).value
        if key not in self._styles:
            self._styles[key] = self._looked_up(at, drawn)
        return self._styles[key]

    def _looked_up(self, at: int, drawn: Any) -> tuple[Style, int]:
        matrix, name, flags = self._matrix, ctypes.create_string_buffer(_LONGEST_FONT_NAME), ctypes.c_int()
        self._pdfium.FPDFText_GetMatrix(self._handle, at, matrix)
        self._pdfium.FPDFText_GetFontInfo(self._handle, at, name, _LONGEST_FONT_NAME, flags)
        size = self._pdfium.FPDFText_GetFontSize(self._handle, at) * hypot(matrix.c, matrix.d)
        font = name.value.decode("utf-8", errors="replace")
        turn = round(degrees(atan2(matrix.b, matrix.a))) % 360
        return style_of(font, round(abs(size), 2), self._ink(at, drawn)), turn

    def _ink(self, at: int, drawn: Any) -> Ink:
        red, green, blue, opacity = (ctypes.c_uint() for _ in range(4))
        known = self._pdfium.FPDFText_GetFillColor(self._handle, at, red, green, blue, opacity)
        mode = self._pdfium.FPDFTextObj_GetTextRenderMode(drawn) if drawn else 0
        if mode == _INVISIBLE or (known and not opacity.value):
            return Ink.NONE
        is_pale = known and mode in _FILLED and min(red.value, green.value, blue.value) >= _PALE
        return Ink.PALE if is_pale else Ink.PLAIN
