"""Parts of a PDF for those who read pictures of pages."""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO

from ragstone.parsing.pdf_library import helpers


def page_sizes(content: bytes, pages: Sequence[int]) -> dict[int, tuple[float, float]]:
    """Width and height in points of the pages with these numbers, from 1, as a viewer shows them."""
    with helpers().PdfDocument(content) as document:
        return {number: document.get_page_size(number - 1) for number in pages}


def pages_alone(content: bytes, pages: Sequence[int]) -> bytes:
    """A PDF of only the pages with these numbers, from 1."""
    pdfium, target = helpers(), BytesIO()
    with pdfium.PdfDocument(content) as document, pdfium.PdfDocument.new() as alone:
        alone.import_pages(document, [number - 1 for number in pages])
        alone.save(target)
    return target.getvalue()
