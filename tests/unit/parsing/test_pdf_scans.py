from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import pytest

from ragstone.errors import TransientError
from ragstone.ingestion import OutOfTime
from ragstone.parsing import parse
from ragstone.parsing.ocr import OcrLine
from ragstone.parsing.pdf import parse_pdf
from ragstone.parsing.pdf_scans import WithOcr
from ragstone.types import BlockKind, ParsedDocument
from tests.support.parsing import in_one_turn
from tests.unit.parsing.made_pdf import grid, lines, pdf_drawn, picture, show

SCAN = [picture(0, 0, 595, 842)]
CELLS = [("Vessel", 64, 505), ("Seats", 164, 505), ("Petrel", 64, 485), ("95", 164, 485)]
PROSE = [
    "The harbour office is open from nine to five on working days, and it",
    "closes at noon on Saturdays. Permits for the inner basin are issued to",
    "everybody who can show that their vessel is insured against damage.",
]


def seen(*texts: str, height: float = 12) -> list[OcrLine]:
    """Lines below each other."""
    boxes = [(60, 700 - 20 * at, 260, 700 - 20 * at + height) for at in range(len(texts))]
    return [
        OcrLine(text, ((left, top), (right, top), (right, bottom), (left, bottom)))
        for text, (left, bottom, right, top) in zip(texts, boxes, strict=True)
    ]


@dataclass
class ScriptedOcr:
    """Knows the lines of some pages, and which it was asked for."""

    lines: Mapping[int, Sequence[OcrLine]]
    asked: list[int] = field(default_factory=list[int])
    name: str = "scripted"
    pages_at_once: int = 2
    seconds: float = 30

    def read(self, content: bytes, pages: Sequence[int]) -> Mapping[int, Sequence[OcrLine]]:
        self.asked += pages
        return {page: self.lines[page] for page in pages if page in self.lines}


def read(content: bytes, found: Mapping[int, Sequence[OcrLine]]) -> ParsedDocument:
    return WithOcr(parse=in_one_turn(parse_pdf), ocr=ScriptedOcr(found))(content, source="x.pdf")


def on_pages(document: ParsedDocument) -> list[str]:
    return [document.text[page.start : page.end].strip() for page in document.pages]


def test_only_pages_without_text_are_given_to_ocr() -> None:
    ocr = ScriptedOcr({2: seen("Winter timetable 1987")})
    parse_all = WithOcr(parse=in_one_turn(parse), ocr=ocr)
    document = parse_all(pdf_drawn([show("A cover.")], SCAN, [show("The end.")]), source="x.pdf")
    assert ocr.asked == [2]
    assert on_pages(document) == ["A cover.", "Winter timetable 1987", "The end."]
    assert (document.parser, document.warnings) == ("pdfium+scripted", ())
    assert parse_all(b"Plain text.", source="x.txt").parser == "text"
    assert ocr.asked == [2]


def test_a_file_of_scans_is_read_like_one_with_text() -> None:
    pages = {1: [*seen("Harbour rules", height=24), *seen("", "", *PROSE)], 2: seen("The end.")}
    document = read(pdf_drawn(SCAN, SCAN), pages)
    assert (document.parser, document.title) == ("scripted", "Harbour rules")
    assert [section.title for section in document.sections] == ["Harbour rules"]
    assert on_pages(document)[1] == "The end."


def test_a_scanned_table_is_a_table() -> None:
    cells = [("Mole", "Tamsey"), ("07:15", "08:20"), ("10:00", "11:05")]
    boxes = [
        OcrLine(text, ((x, y + 12), (x + 40, y + 12), (x + 40, y), (x, y)))
        for y, row in zip((700, 670, 640), cells, strict=True)
        for x, text in zip((60, 180), row, strict=True)
    ]
    document = read(pdf_drawn(SCAN), {1: boxes})
    assert [block.kind for block in document.blocks] == [BlockKind.TABLE]
    assert document.text == "Mole: 07:15 | Tamsey: 08:20\nMole: 10:00 | Tamsey: 11:05"


def test_the_other_pages_stay_as_they_are() -> None:
    drawn = [
        [show("1 Fares", y=780, size=18), *lines(PROSE[:2], y=740)],
        [*lines(PROSE[2:]), show("2 Times", y=640, size=18), *lines(["• at noon", "• at night"], y=600)],
        [*grid([60, 160, 260], [480, 500, 520]), *(show(*cell) for cell in CELLS)],
    ]
    before = parse_pdf(pdf_drawn(*drawn), source="x.pdf")
    after = read(pdf_drawn(*drawn, SCAN), {4: seen("A scanned page.")})
    assert after.text == f"{before.text}\n\nA scanned page."
    assert after.blocks[:-1] == before.blocks
    assert after.pages[:2] == before.pages[:2]
    assert [replace(section, end=0) for section in after.sections] == [replace(s, end=0) for s in before.sections]


def test_a_paragraph_is_parted_by_the_scan_in_its_middle() -> None:
    document = read(pdf_drawn(lines(PROSE[:2]), SCAN, lines(PROSE[2:])), {2: seen("A scanned page.")})
    assert document.text.split("\n\n") == [" ".join(PROSE[:2]), "A scanned page.", PROSE[2]]


def test_pages_that_ocr_can_t_read_either_stay_named() -> None:
    document = read(pdf_drawn([show("A cover.")], SCAN, SCAN), {3: seen("A scanned page.")})
    assert document.warnings == ("No text on page 2 (scanned?), so nothing there can be found without OCR.",)
    assert read(pdf_drawn(SCAN), {}) == parse_pdf(pdf_drawn(SCAN), source="x.pdf")


def test_scans_that_an_earlier_turn_has_read_are_not_read_again() -> None:
    kept: dict[str, bytes] = {}
    most = 2

    def keep(name: str, make: Callable[[], bytes], *, seconds: float) -> bytes:
        if name not in kept:
            assert seconds == 30
            if len(kept) == most:
                raise OutOfTime(0)
            kept[name] = make()
        return kept[name]

    ocr = ScriptedOcr({number: seen(f"Page {number} of a scan.") for number in range(1, 6)})
    parse_all = WithOcr(parse=in_one_turn(parse_pdf), ocr=ocr)
    with pytest.raises(OutOfTime):
        parse_all(pdf_drawn(*[SCAN] * 5), source="x.pdf", keep=keep)
    assert ocr.asked == [1, 2, 3, 4]
    most = 3
    document = parse_all(pdf_drawn(*[SCAN] * 5), source="x.pdf", keep=keep)
    assert ocr.asked == [1, 2, 3, 4, 5]
    assert on_pages(document) == [f"Page {number} of a scan." for number in range(1, 6)]


def test_scans_have_a_language() -> None:
    assert read(pdf_drawn(SCAN), {1: seen(*PROSE)}).language == "en"


def test_a_failure_of_ocr_is_not_hidden() -> None:
    class Failing(ScriptedOcr):
        def read(self, content: bytes, pages: Sequence[int]) -> Mapping[int, Sequence[OcrLine]]:
            raise TransientError("try again")

    with pytest.raises(TransientError):
        WithOcr(parse=in_one_turn(parse_pdf), ocr=Failing({}))(pdf_drawn(SCAN), source="x.pdf")
