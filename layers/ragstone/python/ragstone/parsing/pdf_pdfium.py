"""PDFs as PDFium opens them: pages with their words, ruled lines and pictures."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from functools import cached_property
from typing import Any

from ragstone.parsing.pdf_drawings import Rule, picture_area, rules_of
from ragstone.parsing.pdf_faults import Fault, UnreadablePage
from ragstone.parsing.pdf_glyphs import words_of
from ragstone.parsing.pdf_library import helpers, raw
from ragstone.parsing.pdf_words import Word

_MOST_NOTES = 1_000
_SCANNED = 0.5
_LONGEST_SIDE = 2_400
"""Dots of a page that is looked at to see what its text stands on."""


class PdfiumPage:
    """One loaded page; places are in points, as the page was made."""

    def __init__(self, page: Any) -> None:
        self._page = page

    @cached_property
    def box(self) -> tuple[float, float, float, float]:
        """Left, bottom, right and top of what a viewer shows."""
        return self._page.get_bbox()

    @property
    def size(self) -> tuple[float, float]:
        """Width and height as a viewer shows them, which may be turned."""
        return self._page.get_size()

    @cached_property
    def is_blank(self) -> bool:
        """Whether a viewer shows nothing on it, whatever is drawn."""
        if raw().FPDFPage_CountObjects(self._page.raw) == 0:
            return True
        bitmap, _ = self._rendered
        return len(set(bytes(bitmap.buffer))) == 1

    @cached_property
    def is_picture(self) -> bool:
        """Whether pictures fill most of it, as on a scan."""
        left, bottom, right, top = self.box
        return picture_area(self._page.raw) >= _SCANNED * (right - left) * (top - bottom)

    def words(self) -> list[Word]:
        """The page's words in the order in which it draws them, visible or not."""
        text_page = self._page.get_textpage()
        try:
            return words_of(text_page.raw)
        finally:
            text_page.close()

    def rules(self, turn: int = 0) -> list[Rule]:
        """The ruled lines, once the page is turned so that text running to `turn` degrees runs to the right."""
        return rules_of(self._page.raw, turn)

    def shown(self, corner: tuple[float, float], opposite: tuple[float, float]) -> bytes:
        """What a viewer shows between two corners: a level from 0 (black) to 255 for each dot."""
        bitmap, dots = self._rendered
        (x0, y0), (x1, y1) = (dots.to_bitmap(*point) for point in (corner, opposite))
        left, right = sorted(min(max(x, 0), bitmap.width) for x in (x0, x1))
        top, bottom = sorted(min(max(y, 0), bitmap.height) for y in (y0, y1))
        rows = (bytes(bitmap.buffer[y * bitmap.stride + left : y * bitmap.stride + right]) for y in range(top, bottom))
        return b"".join(rows)

    def render(self, scale: float, *, grey: bool = False) -> Any:
        """The page as pypdfium2's bitmap, `scale` dots a point."""
        return self._page.render(scale=scale, grayscale=grey)

    @cached_property
    def _rendered(self) -> tuple[Any, Any]:
        bitmap = self.render(min(2.0, _LONGEST_SIDE / max(self.size)), grey=True)
        return bitmap, bitmap.get_posconv(self._page)


class PdfiumFile:
    """An open PDF; what was filled into its forms and stamped on its pages counts as drawn there."""

    def __init__(self, document: Any) -> None:
        self._document = document

    def __len__(self) -> int:
        return len(self._document)

    @contextmanager
    def page(self, index: int) -> Generator[PdfiumPage]:
        """The page with this index, from 0; raises UnreadablePage, also while it is read."""
        page = None
        try:
            page = self._loaded(index)
            yield PdfiumPage(page)
        except helpers().PdfiumError as error:
            raise UnreadablePage(f"page {index + 1}") from error
        finally:
            if page is not None:
                page.close()

    def _loaded(self, index: int) -> Any:
        page, pdfium = self._document[index], raw()
        if not _is_written_on(page.raw):
            return page
        pdfium.FPDFPage_Flatten(page.raw, pdfium.FLAT_NORMALDISPLAY)
        page.close()
        return self._document[index]


@contextmanager
def opened_with_pdfium(content: bytes) -> Generator[PdfiumFile | Fault]:
    """Open with the empty password, for as long as the block lasts."""
    pdfium = helpers()
    try:
        document = pdfium.PdfDocument(content)
    except pdfium.PdfiumError as error:
        yield Fault.LOCKED if error.err_code == raw().FPDF_ERR_PASSWORD else Fault.BROKEN
        return
    try:
        yield PdfiumFile(document)
    finally:
        document.close()


def page_count(content: bytes) -> int:
    """0 for a file that can't be opened."""
    with opened_with_pdfium(content) as file:
        return 0 if isinstance(file, Fault) else len(file)


def _is_written_on(page: Any) -> bool:
    """Whether form fields, stamps or text were put over a page, which are no part of what it draws."""
    pdfium = raw()
    kinds = {pdfium.FPDF_ANNOT_WIDGET, pdfium.FPDF_ANNOT_FREETEXT, pdfium.FPDF_ANNOT_STAMP}
    for at in range(min(pdfium.FPDFPage_GetAnnotCount(page), _MOST_NOTES)):
        note = pdfium.FPDFPage_GetAnnot(page, at)
        kind = pdfium.FPDFAnnot_GetSubtype(note)
        pdfium.FPDFPage_CloseAnnot(note)
        if kind in kinds:
            return True
    return False
