"""Large files: the time grows with the size and not faster."""

from __future__ import annotations

from io import BytesIO
from time import process_time

import pytest
from pypdf import PdfReader, PdfWriter

from ragstone.parsing import parse
from ragstone.parsing.isolated import IsolatedParser, Limits
from tests.unit.parsing.made_pdf import handbook

FIVE_MEGABYTES = 5_000_000
SENTENCE = "The harbour office is open from nine to five on working days, and it closes at noon. "
PIECES = {
    "prose.txt": SENTENCE,
    "wrapped.txt": f"{SENTENCE[:70]}\n",
    "prose.md": f"# A *heading*\n\n{SENTENCE} [link](http://example.org) `code` **bold**\n\n- item\n- item\n\n",
    "rows.csv": '1,"two, three",some longer text in a cell\n',
    "records.jsonl": '{"id": 1, "text": "some longer text", "tags": ["a", "b"]}\n',
    "prose.html": f"<p>{SENTENCE}<b>bold</b></p>",
}


@pytest.mark.parametrize("source", sorted(PIECES))
def test_five_megabytes_take_seconds(source: str) -> None:
    piece = PIECES[source].encode()
    content = piece * (FIVE_MEGABYTES // len(piece))
    started = process_time()
    document = parse(content, source=source)
    assert process_time() - started < 30
    assert len(document.text) > FIVE_MEGABYTES / 2


def test_a_pdf_of_a_thousand_pages_keeps_its_page_numbers() -> None:
    handbook = PdfReader("samples/documents/handbook/Operations Handbook.pdf")
    writer = PdfWriter()
    for number in range(1_000):
        writer.add_page(handbook.pages[number % len(handbook.pages)])
    buffer = BytesIO()
    writer.write(buffer)
    started = process_time()
    document = parse(buffer.getvalue(), source="long.pdf")
    assert process_time() - started < 120
    assert len(document.pages) == 1_000
    page = document.pages[18 * 50 + 4]
    assert "The night ferry runs on Tuesdays only" in document.text[page.start : page.end]


def test_a_pdf_of_hundreds_of_pages_reads_the_same_in_parts() -> None:
    content = handbook(pages=450)
    with IsolatedParser(Limits(seconds=120)) as parse_in_parts:
        assert parse_in_parts(content, source="long.pdf") == parse(content, source="long.pdf")
