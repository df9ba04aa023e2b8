"""OCR on the machine itself by RapidOCR, with the models that its wheel brings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from importlib.util import find_spec
from typing import Any, cast

from ragstone.errors import SettingsError
from ragstone.parsing.ocr import OcrLine
from ragstone.parsing.pdf_faults import Fault, UnreadablePage
from ragstone.parsing.pdf_pdfium import PdfiumPage, opened_with_pdfium

_DOTS_A_POINT = 200 / 72
_MOST_DOTS = 2_000
"""The longest side that RapidOCR looks at; it shrinks what is larger."""
_TALL = 1.5
"""From this height on, in widths, RapidOCR takes a line for one that runs up or down."""
_CLASSIFIED = 4.0
"""How long a line is that its classifier takes as it is, in heights."""
_LOOKED_AT = 9

Box = tuple[float, float, float, float]
"""Left, top, right and bottom, in dots from the upper left corner."""


class RapidOcr:
    """A page takes seconds, and the models most of a gigabyte of memory.

    Raises SettingsError without the dependency group `ocr`.
    """

    name = "rapidocr"
    pages_at_once = 5
    seconds = 60.0

    def __init__(self) -> None:
        if find_spec("rapidocr") is None:
            raise SettingsError(
                "ocr = rapidocr needs packages that are not installed here; uv sync --group ocr installs them. They "
                "are too large for functions from a zip file: there take textract, or run Ragstone in a container."
            )

    def read(self, content: bytes, pages: Sequence[int]) -> Mapping[int, Sequence[OcrLine]]:
        """The lines of the pages, turned upright: scanners take pages as they lie."""
        with opened_with_pdfium(content) as file:
            if isinstance(file, Fault):
                return {}
            found: dict[int, list[OcrLine]] = {}
            for number in pages:
                with suppress(UnreadablePage), file.page(number - 1) as page:
                    found[number] = self._read(page)
            return found

    @cached_property
    def _engine(self) -> Any:
        from rapidocr import RapidOCR

        return cast("Any", RapidOCR)(params={"Global.log_level": "critical"})

    def _read(self, page: PdfiumPage) -> list[OcrLine]:
        scale = min(_DOTS_A_POINT, _MOST_DOTS / max(page.size))
        image = page.render(scale).to_numpy()
        texts = self._texts(image)
        if texts and (quarters := self._quarters(image, [box for _, box in texts])):
            for _ in range(quarters):
                image = image.transpose(1, 0, 2)[::-1]
            image = image.copy()
            texts = self._texts(image)
        return [_line(text, box, scale=scale, height=image.shape[0]) for text, box in texts]

    def _texts(self, image: Any) -> list[tuple[str, Box]]:
        reply = self._engine(image, use_det=True, use_cls=True, use_rec=True)  # it keeps what the last call said
        if reply.boxes is None:
            return []
        return [(text, _bounds(box)) for text, box in zip(reply.txts, reply.boxes, strict=True)]

    def _quarters(self, image: Any, boxes: Sequence[Box]) -> int:
        """How many quarters to the left turn a page upright.

        RapidOCR reads lines whichever way they run and doesn't tell, so its classifier is asked: about lines of the
        shape of its input, to which it squeezes others.
        """
        votes: Counter[int] = Counter()
        for box in sorted(boxes, key=lambda box: abs(_length(box) - _CLASSIFIED))[:_LOOKED_AT]:
            quarters, confidence = self._line_quarters(image, box)
            votes[quarters] += round(100 * confidence)
        return votes.most_common(1)[0][0]

    def _line_quarters(self, image: Any, box: Box) -> tuple[int, float]:
        left, top, right, bottom = (int(side) for side in box)
        line = image[top:bottom, left:right]
        is_tall = bottom - top >= _TALL * (right - left)
        if is_tall:
            line = line.transpose(1, 0, 2)[::-1]
        ((label, confidence),) = self._engine(line.copy(), use_det=False, use_cls=True, use_rec=False).cls_res
        return is_tall + 2 * (label == "180"), float(confidence)


def _bounds(box: Any) -> Box:
    xs, ys = [float(x) for x, _ in box], [float(y) for _, y in box]
    return min(xs), min(ys), max(xs), max(ys)


def _length(box: Box) -> float:
    width, height = box[2] - box[0], box[3] - box[1]
    return max(width, height) / max(1.0, min(width, height))


def _line(text: str, box: Box, *, scale: float, height: int) -> OcrLine:
    left, top, right, bottom = (side / scale for side in box)
    high, low = height / scale - top, height / scale - bottom
    return OcrLine(text, ((left, high), (right, high), (right, low), (left, low)))
