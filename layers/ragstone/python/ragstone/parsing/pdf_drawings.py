"""What a page draws besides text: straight lines, which rule tables, and pictures, which may be scans."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from typing import Any, NamedTuple

from ragstone.parsing.pdf_library import raw
from ragstone.parsing.pdf_words import turned

_MOST_OBJECTS = 6_000
_MOST_SEGMENTS = 600
_DEEPEST = 3
_THIN = 2.5
_SHORTEST = 6.0
_WHITE = 250

Matrix = tuple[float, float, float, float, float, float]
_SAME: Matrix = (1, 0, 0, 1, 0, 0)
Point = tuple[float, float]


class Rule(NamedTuple):
    """A line parallel to the page's edges: `at` is its height (or distance from the left), in points."""

    level: bool
    at: float
    start: float
    end: float


def rules_of(page: Any, turn: int = 0) -> list[Rule]:
    """A page's rulings, once it is turned so that text running to `turn` degrees runs to the right.

    None for a page of thousands of drawings: that is a map or a plan.
    """
    drawings = _Drawings(page)
    paths = drawings.of_kind(drawings.pdfium.FPDF_PAGEOBJ_PATH)
    return [rule for path, matrix in paths for rule in _Path(drawings.pdfium, path, matrix, turn).rules()]


def picture_area(page: Any) -> float:
    """The sum of the areas of a page's pictures, in square points."""
    drawings = _Drawings(page)
    pictures = drawings.of_kind(drawings.pdfium.FPDF_PAGEOBJ_IMAGE)
    return sum(abs(a * d - b * c) for _, (a, b, c, d, _, _) in pictures)


class _Drawings:
    """A page's objects, and those inside of its forms."""

    def __init__(self, page: Any) -> None:
        self.pdfium = raw()
        self._page = page

    def of_kind(self, kind: int) -> Iterator[tuple[Any, Matrix]]:
        """The objects of one kind, each with where its own places lie on the page."""
        count = self.pdfium.FPDFPage_CountObjects(self._page)
        if count <= _MOST_OBJECTS:
            objects = (self.pdfium.FPDFPage_GetObject(self._page, at) for at in range(count))
            yield from self._of_kind(kind, objects, _SAME, 0)

    def _of_kind(self, kind: int, objects: Iterator[Any], outer: Matrix, depth: int) -> Iterator[tuple[Any, Matrix]]:
        pdfium = self.pdfium
        for drawn in objects:
            found = pdfium.FPDFPageObj_GetType(drawn)
            if found == kind:
                yield drawn, _product(self._matrix(drawn), outer)
            elif found == pdfium.FPDF_PAGEOBJ_FORM and depth < _DEEPEST:
                count = min(pdfium.FPDFFormObj_CountObjects(drawn), _MOST_OBJECTS)
                inside = (pdfium.FPDFFormObj_GetObject(drawn, at) for at in range(count))
                yield from self._of_kind(kind, inside, _product(self._matrix(drawn), outer), depth + 1)

    def _matrix(self, drawn: Any) -> Matrix:
        found = self.pdfium.FS_MATRIX()
        self.pdfium.FPDFPageObj_GetMatrix(drawn, found)
        return found.a, found.b, found.c, found.d, found.e, found.f


class _Path:
    def __init__(self, pdfium: Any, path: Any, matrix: Matrix, turn: int) -> None:
        self._pdfium = pdfium
        self._path = path
        self._matrix = matrix
        self._turn = turn

    def rules(self) -> Iterator[Rule]:
        """A thin box is a line; of other paths each straight part is one."""
        points = list(self._points()) if self._is_seen() else []
        if not points:
            return
        xs, ys = sorted(x for x, _ in points), sorted(y for _, y in points)
        x, y = (xs[0] + xs[-1]) / 2, (ys[0] + ys[-1]) / 2
        if ys[-1] - ys[0] <= _THIN:
            yield from _rule((xs[0], y), (xs[-1], y))
        elif xs[-1] - xs[0] <= _THIN:
            yield from _rule((x, ys[0]), (x, ys[-1]))
        else:
            yield from self._sides(points)

    def _is_seen(self) -> bool:
        fill, stroke = ctypes.c_int(), ctypes.c_int()
        self._pdfium.FPDFPath_GetDrawMode(self._path, fill, stroke)
        if stroke.value:
            return True
        colours = [ctypes.c_uint() for _ in range(4)]
        self._pdfium.FPDFPageObj_GetFillColor(self._path, *colours)
        return bool(fill.value) and min(colour.value for colour in colours[:3]) < _WHITE

    def _points(self) -> Iterator[Point]:
        x, y = ctypes.c_float(), ctypes.c_float()
        a, b, c, d, e, f = self._matrix
        for at in range(min(self._pdfium.FPDFPath_CountSegments(self._path), _MOST_SEGMENTS)):
            self._pdfium.FPDFPathSegment_GetPoint(self._pdfium.FPDFPath_GetPathSegment(self._path, at), x, y)
            yield turned(a * x.value + c * y.value + e, b * x.value + d * y.value + f, self._turn)

    def _sides(self, points: list[Point]) -> Iterator[Rule]:
        pdfium, begin = self._pdfium, points[0]
        for at, point in enumerate(points):
            segment = pdfium.FPDFPath_GetPathSegment(self._path, at)
            kind = pdfium.FPDFPathSegment_GetType(segment)
            if kind == pdfium.FPDF_SEGMENT_MOVETO:
                begin = point
            elif kind == pdfium.FPDF_SEGMENT_LINETO:
                yield from _rule(points[at - 1], point)
            if pdfium.FPDFPathSegment_GetClose(segment):
                yield from _rule(point, begin)


def _rule(start: Point, end: Point) -> Iterator[Rule]:
    (x0, y0), (x1, y1) = start, end
    if abs(y1 - y0) <= _THIN and abs(x1 - x0) >= _SHORTEST:
        yield Rule(True, (y0 + y1) / 2, min(x0, x1), max(x0, x1))
    elif abs(x1 - x0) <= _THIN and abs(y1 - y0) >= _SHORTEST:
        yield Rule(False, (x0 + x1) / 2, min(y0, y1), max(y0, y1))


def _product(inner: Matrix, outer: Matrix) -> Matrix:
    a, b, c, d, e, f = inner
    p, q, r, s, t, u = outer
    return a * p + b * r, a * q + b * s, c * p + d * r, c * q + d * s, e * p + f * r + t, e * q + f * s + u
