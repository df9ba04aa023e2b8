"""PDFs whose pages are drawn operator by operator, for what plain text on a page can't show."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from io import BytesIO
from random import Random

from pypdf import PdfReader, PdfWriter
from pypdf.constants import PageLabelStyle
from pypdf.generic import ArrayObject, DictionaryObject, FloatObject, NameObject, NumberObject, StreamObject

from tests.unit.parsing.made import pdf_objects

FONTS = ("Helvetica", "Helvetica-Bold", "Helvetica-Oblique", "Courier")
"""F1 to F4 of every page."""
WORDS = ("harbour", "pilot", "vessel", "mooring", "office", "winter", "permit", "signal", "basin", "ferry")


def show(text: str, x: float = 60, y: float = 700, *, font: int = 1, size: float = 11, before: str = "") -> str:
    """The operators that show text from a place on; `before` sets colours, render modes and the like."""
    escaped = text.replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)")
    return f"q BT {before} /F{font} {size} Tf 1 0 0 1 {x} {y} Tm ({escaped}) Tj ET Q"


def lines(texts: Sequence[str], x: float = 60, y: float = 700, *, font: int = 1, leading: float = 14) -> list[str]:
    """Lines below each other."""
    return [show(text, x, y - leading * at, font=font) for at, text in enumerate(texts)]


def grid(xs: Sequence[float], ys: Sequence[float]) -> list[str]:
    """Ruled lines along all given places, from the first to the last of the others."""
    upright = [f"{x} {ys[0]} m {x} {ys[-1]} l S" for x in xs]
    return [*upright, *[f"{xs[0]} {y} m {xs[-1]} {y} l S" for y in ys]]


def picture(x: float, y: float, width: float, height: float) -> str:
    """The operators that draw a grey picture."""
    return f"q {width} 0 0 {height} {x} {y} cm /Im Do Q"


def pdf_drawn(*pages: Sequence[str], box: str = "[0 0 595 842]", extra: str = "") -> bytes:
    """A PDF of pages, each the operators that draw it; `extra` goes into each page's dictionary."""
    fonts = [f"<</Type/Font/Subtype/Type1/BaseFont/{name}/Encoding/WinAnsiEncoding>>" for name in FONTS]
    image = "<</Type/XObject/Subtype/Image/Width 1/Height 1/ColorSpace/DeviceGray/BitsPerComponent 8/Length 1>>"
    objects = ["<</Type/Catalog/Pages 2 0 R>>", "", *fonts, f"{image}stream\n~\nendstream"]
    names = "".join(f"/F{at} {at + 2} 0 R" for at in range(1, len(FONTS) + 1))
    resources = f"<</Font<<{names}>>/XObject<</Im {len(FONTS) + 3} 0 R>>>>"
    kids: list[str] = []
    for drawn in pages:
        stream = "\n".join(drawn)
        objects.append(f"<</Length {len(stream.encode('cp1252'))}>>stream\n{stream}\nendstream")
        contents = f"/Resources{resources}/Contents {len(objects)} 0 R"
        objects.append(f"<</Type/Page/Parent 2 0 R/MediaBox{box}{contents}{extra}>>")
        kids.append(f"{len(objects)} 0 R")
    objects[1] = f"<</Type/Pages/Count {len(kids)}/Kids[{' '.join(kids)}]>>"
    return pdf_objects(*objects)


def handbook(pages: int) -> bytes:
    """A PDF with running heads and page numbers; every third page begins a section, every page ends in mid-sentence."""
    return pdf_drawn(*[_handbook_page(number) for number in range(1, pages + 1)])


def _handbook_page(number: int) -> list[str]:
    words = Random(number)
    prose = [" ".join(words.choices(WORDS, k=14)) for _ in range(20)]
    heading = [show(f"{number // 3 + 1} Rules", y=760, size=18)] if number % 3 == 1 else []
    body = lines([f"of berth {number}. Then {prose[0]}", *prose[1:]], y=700)
    return [show("Harbour handbook", y=810, size=9), *heading, *body, show(str(number), 290, 30, size=9)]


def with_page_labels(content: bytes, *, roman: int) -> bytes:
    """The PDF with its first pages called i, ii, … and the others 1, 2, …"""
    writer = PdfWriter(clone_from=PdfReader(BytesIO(content)))
    writer.set_page_label(0, roman - 1, style=PageLabelStyle.LOWERCASE_ROMAN)
    writer.set_page_label(roman, len(writer.pages) - 1, style=PageLabelStyle.DECIMAL)
    return _written(writer)


def with_attachment(content: bytes, name: str) -> bytes:
    writer = PdfWriter(clone_from=PdfReader(BytesIO(content)))
    writer.add_attachment(name, b"1;2")
    return _written(writer)


def with_field(content: bytes, value: str) -> bytes:
    """The PDF with a form field on its first page into which somebody wrote."""
    writer = PdfWriter(clone_from=PdfReader(BytesIO(content)))
    page = writer.pages[0]
    look = StreamObject()
    look.set_data(f"/Tx BMC BT /F1 11 Tf 2 5 Td ({value}) Tj ET EMC".encode())
    look[NameObject("/Subtype")] = NameObject("/Form")
    look[NameObject("/BBox")] = _rectangle(0, 0, 200, 20)
    look[NameObject("/Resources")] = page[NameObject("/Resources")]
    field = DictionaryObject({NameObject("/Subtype"): NameObject("/Widget"), NameObject("/FT"): NameObject("/Tx")})
    field[NameObject("/Rect")] = _rectangle(150, 695, 350, 715)
    field[NameObject("/F")] = NumberObject(4)  # to be printed, so not hidden
    field[NameObject("/AP")] = DictionaryObject({NameObject("/N"): writer._add_object(look)})
    page[NameObject("/Annots")] = ArrayObject([writer._add_object(field)])
    return _written(writer)


def with_stream(content: bytes, *, filters: str) -> bytes:
    """A PDF whose page draws a packed stream."""
    stream = content.decode("latin-1")
    return pdf_objects(
        "<</Type/Catalog/Pages 2 0 R>>",
        "<</Type/Pages/Count 1/Kids[3 0 R]>>",
        "<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Resources<</Font<<>>>>/Contents 4 0 R>>",
        f"<</Length {len(stream)}/Filter {filters}>>stream\n{stream}\nendstream",
        encoding="latin-1",
    )


def packed(size: int, *, times: int = 1) -> bytes:
    """So many spaces, packed with Flate so many times."""
    content = b" " * size
    for _ in range(times):
        content = zlib.compress(content, 9)
    return content


def _rectangle(*sides: float) -> ArrayObject:
    return ArrayObject([FloatObject(side) for side in sides])


def _written(writer: PdfWriter) -> bytes:
    buffer = BytesIO()
    writer.write(buffer)
    return buffer.getvalue()
