"""Two libraries read a PDF: each where the other can't."""

from __future__ import annotations

import pytest

from ragstone.errors import Rejected
from ragstone.parsing.pdf import parse_pdf
from ragstone.types import ParsedDocument
from tests.unit.parsing.made import locked
from tests.unit.parsing.made_pdf import (
    packed,
    pdf_drawn,
    picture,
    show,
    with_attachment,
    with_field,
    with_page_labels,
    with_stream,
)

PETREL, GANNET = "The Petrel carries 95 passengers.", "The Gannet carries 180 passengers."
COURIER = b"/Subtype/Type1/BaseFont/Courier/Encoding/WinAnsiEncoding"
NO_LETTERS = (
    b"/Subtype/Type3/FontBBox[0 0 0 0]/FontMatrix[0 0 0 0 0 0]/CharProcs<<>>/Encoding<<>>",
    b"/FirstChar 0/LastChar 0/Widths[0]",
)


def parsed(content: bytes) -> ParsedDocument:
    return parse_pdf(content, source="x.pdf")


def test_pdfium_reads_what_is_sound() -> None:
    document = parsed(pdf_drawn([show(PETREL)]))
    assert (document.parser, document.text) == ("pdfium", PETREL)


def test_pypdf_reads_a_file_that_pdfium_can_t_open() -> None:
    document = parsed(pdf_drawn([show(PETREL)]).replace(b"%PDF-1.7", b"%XYZ-1.7"))
    assert (document.parser, document.text, document.warnings) == ("pypdf", PETREL, ())


def test_pypdf_reads_a_page_that_pdfium_can_t_load() -> None:
    document = parsed(pdf_drawn([show(PETREL)]).replace(b"/Kids[", b"/Kids[99 0 R "))
    assert (document.parser, document.text) == ("pypdf", PETREL)


def test_pypdf_reads_a_page_on_which_pdfium_sees_only_drawings() -> None:
    content = pdf_drawn([show(PETREL)], [picture(60, 500, 99, 99), show(GANNET, font=4)])
    document = parsed(content.replace(COURIER, b"".join(NO_LETTERS)))
    assert (document.parser, document.text.split("\n\n")) == ("pdfium+pypdf", [PETREL, GANNET])


def test_letters_that_draw_nothing_on_a_blank_page_are_not_read() -> None:
    content = pdf_drawn([show(GANNET, font=4)])
    assert parsed(content.replace(COURIER, b"".join(NO_LETTERS))).text == ""


def test_pdfium_reads_letters_that_pypdf_doesn_t_know() -> None:
    document = parsed(pdf_drawn([show(PETREL)]).replace(b"/Encoding/WinAnsiEncoding", b"/Encoding 99 0 R"))
    assert (document.parser, document.text) == ("pdfium", PETREL)


@pytest.mark.parametrize("content", [b"%PDF-1.7\n", b"%PDF-1.7\n1 0 obj\n<<", pdf_drawn([show(PETREL)])[:200]])
def test_what_neither_can_open_is_damaged(content: bytes) -> None:
    with pytest.raises(Rejected) as rejected:
        parsed(content)
    assert rejected.value.code == "damaged"


def test_a_password_for_opening_is_told_and_one_for_editing_doesn_t_matter() -> None:
    with pytest.raises(Rejected) as rejected:
        parsed(locked(pdf_drawn([show(PETREL)]), user_password="user"))
    assert rejected.value.code == "encrypted"
    assert parsed(locked(pdf_drawn([show(PETREL)]), user_password="")).text == PETREL


def test_a_stream_that_unpacks_without_end_is_too_large() -> None:
    with pytest.raises(Rejected) as rejected:
        parsed(with_stream(packed(90_000_000, times=2), filters="[/FlateDecode/FlateDecode]"))
    assert rejected.value.code == "too_large"


def test_what_was_filled_into_a_form_stands_in_its_place() -> None:
    assert parsed(with_field(pdf_drawn([show("Name of the vessel:")]), "Petrel")).text == "Name of the vessel: Petrel"


def test_page_labels_are_no_text() -> None:
    pages = [[show(f"{ship} is at sea."), show(label, 290, 30)] for ship, label in (("Petrel", "i"), ("Gannet", "1"))]
    assert parsed(with_page_labels(pdf_drawn(*pages), roman=1)).text == "Petrel is at sea.\n\nGannet is at sea."


def test_attached_files_are_named_and_not_read() -> None:
    document = parsed(with_attachment(pdf_drawn([show(PETREL)]), "fares.csv"))
    assert document.metadata == {"attachments": ("fares.csv",)}
    assert document.warnings == ("Files inside of it were not read: fares.csv.",)


def test_text_that_runs_upwards_is_read_after_the_rest() -> None:
    upwards = "q BT /F1 9 Tf 0 1 -1 0 30 200 Tm (Printed on board) Tj ET Q"
    assert parsed(pdf_drawn([upwards, show(PETREL)])).text == f"{PETREL}\n\nPrinted on board"


def test_a_page_on_its_side_is_read_like_any_other() -> None:
    sideways = [
        f"q BT /F1 11 Tf 0 1 -1 0 {200 + 14 * at} 100 Tm ({text}) Tj ET Q" for at, text in enumerate((PETREL, GANNET))
    ]
    assert parsed(pdf_drawn(sideways, extra="/Rotate 90")).text.split("\n") == [PETREL, GANNET]
