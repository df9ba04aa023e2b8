"""Parts of a PDF for those who read pictures of pages."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from io import BytesIO

from ragstone.parsing.pdf_faults import Fault, UnreadablePage
from ragstone.parsing.pdf_library import helpers
from ragstone.parsing.pdf_pdfium import PdfiumFile, opened_with_pdfium


def page_sizes(content: bytes, pages: Sequence[int]) -> dict[int, tuple[float, float]]:
    """Width and height in points, as a viewer shows them, of those pages with these numbers that can be loaded."""
    with opened_with_pdfium(content) as file:
        return {} if isinstance(file, Fault) else dict(_sizes(file, pages))


def _sizes(file: PdfiumFile, pages: Sequence[int]) -> Iterator[tuple[int, tuple[float, float]]]:
    for number in pages:
        with suppress(UnreadablePage), file.page(number - 1) as page:
            yield number, page.size


def pages_alone(content: bytes, pages: Sequence[int]) -> bytes:
    """A PDF of only the pages with these numbers, from 1."""
    pdfium, target = helpers(), BytesIO()
    with pdfium.PdfDocument(content) as document, pdfium.PdfDocument.new() as alone:
        alone.import_pages(document, [number - 1 for number in pages])
        alone.save(target)
    return target.getvalue()
