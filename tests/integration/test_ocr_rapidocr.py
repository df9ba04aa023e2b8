"""RapidOCR with the models of its wheel reads the demo's scan, however it lay on the scanner."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

import pytest
from pypdf import PdfReader, PdfWriter, Transformation

from ragstone.parsing.ocr_rapidocr import RapidOcr
from ragstone.parsing.pdf import parse_pdf
from ragstone.parsing.pdf_scans import WithOcr
from tests.support.parsing import in_one_turn

SCAN = Path("samples/documents/archive/winter timetable 1987.pdf")


@pytest.fixture(scope="module")
def ocr() -> RapidOcr:
    return RapidOcr()


def turned(content: bytes, degrees: int) -> bytes:
    """The scan with its picture turned counter-clockwise on a page of the same size."""
    writer = PdfWriter(clone_from=PdfReader(BytesIO(content)))
    page = writer.pages[0]
    width, height = float(page.mediabox.width), float(page.mediabox.height)
    moved = {0: (0.0, 0.0), 90: (height, 0.0), 180: (width, height), 270: (0.0, width)}[degrees]
    page.add_transformation(Transformation().rotate(degrees).translate(*moved))
    if degrees in (90, 270):
        page.mediabox.upper_right = page.cropbox.upper_right = (height, width)
    buffer = BytesIO()
    writer.write(buffer)
    return buffer.getvalue()


@pytest.mark.parametrize("degrees", [0, 90, 180, 270])
def test_a_scan_is_read_with_its_table(degrees: int, ocr: RapidOcr) -> None:
    document = WithOcr(parse=in_one_turn(parse_pdf), ocr=ocr)(turned(SCAN.read_bytes(), degrees), source=SCAN.name)
    assert (document.parser, document.warnings) == ("rapidocr", ())
    lines = document.text.split("\n")
    assert "Mole: 07:15 | Tamsey: 08:20" in lines
    assert "Mole: 19:20 | Tamsey: 20:25" in lines
    assert lines.index("Mole: 07:15 | Tamsey: 08:20") < lines.index("Mole: 19:20 | Tamsey: 20:25")
    assert "Poultry travels on deck." in document.text


def test_a_page_without_letters_has_no_lines(ocr: RapidOcr) -> None:
    writer = PdfWriter()
    writer.add_blank_page(300, 300)
    buffer = BytesIO()
    writer.write(buffer)
    assert ocr.read(buffer.getvalue(), [1]) == {1: []}
    assert ocr.read(b"no PDF", [1]) == {}
