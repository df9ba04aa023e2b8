"""OCR on the machine itself by RapidOCR, with the models that its wheel brings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, cast

from ragstone.parsing.ocr import OcrLine, Point
from ragstone.parsing.pdf_faults import Fault
from ragstone.parsing.pdf_pdfium import PdfiumPage, opened_with_pdfium

_DOTS_A_POINT = 200 / 72
_MOST_DOTS = 2_000
"""The longest side that RapidOCR looks at; it shrinks what is larger."""
_TALL = 1.5
"""From this height on, in widths, RapidOCR takes a line for one that runs up or down."""
_LOOKED_AT = 3
_CORNERS = {0: (0, 1, 2, 3), 90: (3, 0, 1, 2), 180: (2, 3, 0, 1), 270: (1, 2, 3, 0)}
"""Which corners of a box, clockwise from the upper left one, are those of a line that runs to so many degrees."""


class RapidOcr:
    """Needs the dependency group `ocr`. A page takes seconds, and the models half a gigabyte of memory."""

    name = "rapidocr"

    def read(self, content: bytes, pages: Sequence[int]) -> Mapping[int, Sequence[OcrLine]]:
        with opened_with_pdfium(content) as file:
            if isinstance(file, Fault):
                return {}
            found: dict[int, list[OcrLine]] = {}
            for number in pages:
                with file.page(number - 1) as page:
                    found[number] = self._read(page)
            return found

    @cached_property
    def _engine(self) -> Any:
        from rapidocr import RapidOCR

        return cast("Any", RapidOCR)(params={"Global.log_level": "critical"})

    def _read(self, page: PdfiumPage) -> list[OcrLine]:
        scale = min(_DOTS_A_POINT, _MOST_DOTS / max(page.size))
        image = page.render(scale).to_numpy()
        reply = self._engine(image, use_det=True, use_cls=True, use_rec=True)  # it keeps what the last call said
        if reply.boxes is None:
            return []
        boxes = [_bounds(box) for box in reply.boxes]
        turn = self._turn(image, boxes)
        height = image.shape[0]
        return [
            OcrLine(text, _corners(box, turn, scale=scale, height=height))
            for text, box in zip(reply.txts, boxes, strict=True)
        ]

    def _turn(self, image: Any, boxes: Sequence[Sequence[float]]) -> int:
        """Where the lines of a scan run to, in degrees counter-clockwise; scanners take pages as they lie.

        RapidOCR reads lines whichever way they run and doesn't tell, so its classifier is asked for the longest ones.
        """
        longest = sorted(boxes, key=lambda box: -abs((box[2] - box[0]) - (box[3] - box[1])))
        turns = [self._line_turn(image, box) for box in longest[:_LOOKED_AT]]
        return max(set(turns), key=turns.count)

    def _line_turn(self, image: Any, box: Sequence[float]) -> int:
        left, top, right, bottom = (int(side) for side in box)
        line = image[top:bottom, left:right]
        is_tall = bottom - top >= _TALL * (right - left)
        if is_tall:
            line = line.transpose(1, 0, 2)[::-1]  # a quarter to the left, as RapidOCR itself turns it
        ((label, _),) = self._engine(line.copy(), use_det=False, use_cls=True, use_rec=False).cls_res
        return (270 if is_tall else 0) if label == "0" else (90 if is_tall else 180)


def _bounds(box: Any) -> tuple[float, float, float, float]:
    """Left, top, right and bottom of a box's corners, in dots from the upper left corner of the page."""
    xs, ys = [float(x) for x, _ in box], [float(y) for _, y in box]
    return min(xs), min(ys), max(xs), max(ys)


def _corners(box: Sequence[float], turn: int, *, scale: float, height: int) -> tuple[Point, Point, Point, Point]:
    left, top, right, bottom = box
    clockwise = [(left, top), (right, top), (right, bottom), (left, bottom)]
    points = [(x / scale, (height - y) / scale) for x, y in clockwise]
    first, second, third, fourth = (points[at] for at in _CORNERS[turn])
    return first, second, third, fourth
