"""Sample sources as PDF: cover, contents, outline, and a header and page number on every page but the cover."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from io import BytesIO

from fpdf import FPDF, TextStyle
from fpdf.enums import EncryptionMethod
from fpdf.fonts import FontFace
from fpdf.outline import OutlineSection

from samples.rendering.markup import Block, Heading, Paragraph, Table

PRINTED = datetime(2026, 1, 31, tzinfo=UTC)
LINE_HEIGHT = 5.4
ROOM_BELOW_HEADING = {1: 55, 2: 32}  # millimetres that a heading must have below it, or it starts a new page


@dataclass(frozen=True, slots=True)
class Imprint:
    """What a PDF says of itself, and what its language calls the contents and the line below each page."""

    title: str
    subtitle: str
    organisation: str
    language: str = "en"
    contents: str = "Contents"
    page_line: str = "Page {page} of {total}"


class _Booklet(FPDF):
    def __init__(self, imprint: Imprint) -> None:
        super().__init__(format=(148, 210))
        self.imprint = imprint
        self.set_margins(18, 18, 18)
        self.set_auto_page_break(auto=True, margin=20)
        self.set_title(imprint.title)
        self.set_author(imprint.organisation)
        self.set_lang(imprint.language)
        self.set_creation_date(PRINTED)
        self.set_section_title_styles(
            TextStyle("helvetica", "B", 16, t_margin=4, b_margin=3),
            TextStyle("helvetica", "B", 11.5, t_margin=2, b_margin=1.5),
        )

    def header(self) -> None:
        if self.page_no() > 1:
            self.set_font("helvetica", "I", 8.5)
            self.cell(0, 5, self.imprint.title, align="R", new_x="LMARGIN", new_y="NEXT")
            self.ln(4)

    def footer(self) -> None:
        if self.page_no() > 1:
            self.set_y(-14)
            self.set_font("helvetica", "", 8.5)
            self.cell(0, 5, self.imprint.page_line.format(page=self.page_no(), total="{nb}"), align="C")


def render_pdf(blocks: Iterable[Block], imprint: Imprint, *, user_password: str | None = None) -> bytes:
    """Set the blocks as an A5 booklet; with a password it opens for nobody who does not know it (AES-256)."""
    booklet = _Booklet(imprint)
    if user_password is not None:
        booklet.set_encryption(
            owner_password=f"{user_password}-owner",
            user_password=user_password,
            encryption_method=EncryptionMethod.AES_256,
        )
    _cover(booklet)
    booklet.add_page()
    booklet.insert_toc_placeholder(partial(_contents, imprint.contents), pages=1)
    for block in blocks:
        _write(booklet, block)
    return bytes(booklet.output())


def render_image_pdf(image: bytes, imprint: Imprint) -> bytes:
    """One page that is nothing but a picture, as a scanner leaves it."""
    pdf = FPDF(format="A4")
    pdf.set_title(imprint.title)
    pdf.set_creation_date(PRINTED)
    pdf.add_page()
    pdf.image(BytesIO(image), x=0, y=0, w=pdf.w, h=pdf.h)
    return bytes(pdf.output())


def _cover(booklet: _Booklet) -> None:
    imprint = booklet.imprint
    booklet.add_page()
    booklet.set_y(60)
    for text, style, size in (
        (imprint.organisation, "", 12),
        (imprint.title, "B", 24),
        (imprint.subtitle, "I", 11),
    ):
        booklet.set_font("helvetica", style, size)
        booklet.multi_cell(0, size * 0.5, text, align="L", new_x="LMARGIN", new_y="NEXT")
        booklet.ln(5)


def _contents(title: str, booklet: FPDF, outline: Sequence[OutlineSection]) -> None:
    booklet.set_x(booklet.l_margin)
    booklet.set_font("helvetica", "B", 16)
    booklet.cell(0, 10, title, new_x="LMARGIN", new_y="NEXT")
    booklet.set_font("helvetica", "", 10)
    for chapter in (section for section in outline if section.level == 0):
        booklet.cell(booklet.epw - 12, 6.5, chapter.name)
        booklet.cell(12, 6.5, str(chapter.page_number), align="R", new_x="LMARGIN", new_y="NEXT")


def _write(booklet: _Booklet, block: Block) -> None:
    match block:
        case Heading(text, level):
            if booklet.will_page_break(ROOM_BELOW_HEADING[level]):
                booklet.add_page()
            booklet.start_section(text, level=level - 1)
        case Paragraph(text):
            booklet.set_font("helvetica", "", 10.5)
            booklet.multi_cell(0, LINE_HEIGHT, text, align="L", new_x="LMARGIN", new_y="NEXT")
            booklet.ln(2.2)
        case Table(rows):
            _table(booklet, rows)


def _table(booklet: _Booklet, rows: Sequence[Sequence[str]]) -> None:
    booklet.set_font("helvetica", "", 8.5)
    widths = tuple(max(len(cell) for cell in column) + 5 for column in zip(*rows, strict=True))
    if booklet.will_page_break(len(rows) * 6 + 4):
        booklet.add_page()
    with booklet.table(
        rows, col_widths=widths, text_align="LEFT", line_height=6, headings_style=FontFace(emphasis="BOLD")
    ):
        pass
    booklet.ln(4)
