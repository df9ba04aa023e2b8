from __future__ import annotations

from math import inf

import pytest

from ragstone.errors import Rejected
from ragstone.parsing import pdf_parts
from ragstone.parsing.pdf_facts import Facts
from ragstone.parsing.pdf_lines import PageLine, Piece
from ragstone.parsing.pdf_parts import merged, read_part
from ragstone.parsing.pdf_reading import PageRead, Reading, Shown
from ragstone.parsing.pdf_words import Style
from tests.unit.parsing.made_pdf import pdf_drawn, show, with_attachment, with_page_labels

SHIPS = ("Petrel", "Gannet", "Curlew", "Eider", "Dunlin")


def test_pages_keep_their_numbers_and_the_first_part_tells_of_the_file() -> None:
    content = pdf_drawn(*[[show(f"{ship} is at sea."), show(str(at), 290, 30)] for at, ship in enumerate(SHIPS, 1)])
    content = with_attachment(with_page_labels(content, roman=2), "fares.csv")
    parts = [read_part(content, source="x.pdf", first_page=at, last_page=at + 2).encode() for at in (0, 2, 4)]
    document = merged(parts, source="x.pdf")
    assert [(page.number, document.text[page.start : page.end].strip()) for page in document.pages] == [
        (number, f"{ship} is at sea.") for number, ship in enumerate(SHIPS, start=1)
    ]
    assert document.metadata == {"attachments": ("fares.csv",)}


def test_letters_that_are_none_and_places_without_end_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    line = PageLine((Piece("Sails\ud800 at nine.", inf, inf, 700, Style("Helvetica", 11)),))
    reading = Reading([PageRead(Shown.TEXT, [line])], 1, Facts())
    monkeypatch.setattr(pdf_parts, "read_pages", lambda *_, **__: reading)
    part = read_part(b"", source="x.pdf", first_page=0, last_page=1)
    assert merged([part.encode()], source="x.pdf").text == "Sails at nine."


def test_a_file_is_damaged_if_no_part_of_it_can_be_read(monkeypatch: pytest.MonkeyPatch) -> None:
    def read(*pages: Shown) -> bytes:
        reading = Reading([PageRead(shown) for shown in pages], 1, Facts())
        monkeypatch.setattr(pdf_parts, "read_pages", lambda *_, **__: reading)
        return read_part(b"", source="x.pdf", first_page=0, last_page=1).encode()

    broken, blank = read(Shown.BROKEN, Shown.BROKEN), read(Shown.NOTHING)
    assert merged([broken, blank], source="x.pdf").text == ""
    with pytest.raises(Rejected) as rejected:
        merged([broken, broken], source="x.pdf")
    assert rejected.value.code == "damaged"
