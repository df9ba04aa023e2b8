from __future__ import annotations

import pytest

from ragstone.parsing.ocr import OcrLine, Point, recognised
from ragstone.parsing.pdf_lines import PageLine

WIDTH, HEIGHT = 595, 842


def line(text: str, left: float, y: float, *, width: float = 200, height: float = 12, turn: int = 0) -> OcrLine:
    """A line as it lies on a page that was laid on the scanner turned by so many degrees, counter-clockwise."""
    right, top = left + width, y + height
    corners = [_laid(x, y, turn) for x, y in ((left, top), (right, top), (right, y), (left, y))]
    return OcrLine(text, (corners[0], corners[1], corners[2], corners[3]))


def _laid(x: float, y: float, turn: int) -> Point:
    return {0: (x, y), 90: (HEIGHT - y, x), 180: (WIDTH - x, HEIGHT - y), 270: (y, WIDTH - x)}[turn]


@pytest.mark.parametrize("turn", [0, 90, 180, 270])
def test_lines_are_read_from_top_to_bottom_however_the_page_lay(turn: int) -> None:
    lines = [line(text, 60, 700 - 20 * at, turn=turn) for at, text in enumerate(("Winter", "timetable", "1987"))]
    items = recognised([lines[2], lines[0], lines[1]])
    assert [item.text for item in items if isinstance(item, PageLine)] == ["Winter", "timetable", "1987"]


def test_boxes_of_nearly_one_height_are_letters_of_one_size() -> None:
    items = recognised([line("Mole", 60, 700, height=11), line("gypsy", 60, 680, height=14), line("x", 60, 660)])
    assert {item.size for item in items if isinstance(item, PageLine)} == {12}
    assert recognised([]) == recognised([line(" ", 60, 700)]) == []
