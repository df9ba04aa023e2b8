"""The demo's own documents: every kind of file, read as its readers would."""

from __future__ import annotations

from pathlib import Path

import pytest

from ragstone.errors import Rejected
from ragstone.parsing import parse
from ragstone.text import sentences
from ragstone.types import ParsedDocument

DOCUMENTS = Path("samples/documents")
HANDBOOK = "handbook/Operations Handbook.pdf"
READABLE = sorted(
    str(path.relative_to(DOCUMENTS))
    for path in DOCUMENTS.rglob("*")
    if path.is_file() and path.name not in ("winter timetable 1987.pdf", "annex with offers.pdf")
)


def read(name: str) -> ParsedDocument:
    return parse((DOCUMENTS / name).read_bytes(), source=name)


@pytest.mark.parametrize("name", READABLE)
def test_every_document_is_read_without_a_warning(name: str) -> None:
    document = read(name)
    assert len(document.text) > 1_000
    assert document.warnings == ()


@pytest.mark.parametrize(
    ("name", "row"),
    [
        (
            HANDBOOK,
            "Line: 7 | Route: Saltpan Road to Dune Halt | Every: 40 minutes | First tram: 09:10 | Last tram: 18:30",
        ),
        (
            HANDBOOK,
            "Route: Ilverhaven Mole to Tamsey Quay | Vessel: Dunlin | Crossing: 28 minutes | Sailings: 6 on",
        ),
        (
            "safety/ferry safety rules.pdf",
            "Vessel: Dunlin | Wind limit: 4 flags | Least visibility: 10 bollards | Highest swell: 1.3 metres",
        ),
        (
            "board/board minutes 2026-03-12.docx",
            "Service: Tram line 7 | Passengers: 96,000 | Income in crowns: 131,000",
        ),
        ("de/Fährordnung für Fahrgäste.html", "Schiff: Curlew | Größte Höhe: 4,05 Meter | Größte Achslast: 11 Tonnen"),
        ("fares/fares and tickets.md", "Ticket: Ten-strip | Adult: 17 tallies | Child (6 to 13): 8 tallies"),
        ("network/stops and depots.csv", "Place: Harbour | Kind: halt | Lines: 1 and 2 | Zone: A | Opened: 1911"),
        ("fleet/fleet register.json", "name: Curlew | type: double-ended car ferry | built: 2012"),
    ],
)
def test_each_row_of_a_table_names_its_columns(name: str, row: str) -> None:
    assert any(line.startswith(row) for line in read(name).text.split("\n"))


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        (HANDBOOK, "The Sanderling leaves Ilverhaven Mole at 23:40 and reaches Tamsey Quay at 00:55."),
        ("de/Tramordnung.pdf", "Eine Anweisung wird einmal freundlich gegeben und einmal deutlich."),
        (
            "de/Dienstanweisung Winterdienst.txt",
            "Auf Brücken und auf der Seemauer darf keine Sole verwendet werden, weil sie die Nieten angreift.",
        ),
        (
            "faq/passenger questions.html",
            "The hot plate in the saloon of the Curlew is free to use until the second bell.",
        ),
    ],
)
def test_sentences_are_whole_whatever_the_line_breaks(name: str, sentence: str) -> None:
    text = read(name).text
    assert sentence in [text[span.start : span.end] for span in sentences(text)]


def test_a_bookmarked_pdf_has_sections_and_pages() -> None:
    document = read(HANDBOOK)
    section = next(section for section in document.sections if section.title == "2.4 The night ferry")
    page = next(page for page in document.pages if page.start <= section.start < page.end)
    assert section.path == ("2 The network", "2.4 The night ferry")
    assert (page.number, len(document.pages)) == (5, 18)
    assert "The night ferry runs on Tuesdays only" in document.text[section.start : section.end]


def test_running_heads_are_not_in_the_text() -> None:
    text = read(HANDBOOK).text
    assert "Page 7 of 18" not in text
    assert text.count("Operations Handbook") < 5


def test_a_locked_file_says_what_is_wrong() -> None:
    with pytest.raises(Rejected) as rejected:
        read("board/annex with offers.pdf")
    assert rejected.value.code == "encrypted"


def test_a_scan_has_pages_and_no_text() -> None:
    scan = read("archive/winter timetable 1987.pdf")
    assert (scan.text, len(scan.pages), len(scan.warnings)) == ("", 1, 1)
