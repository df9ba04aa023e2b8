from __future__ import annotations

import logging
from io import BytesIO

import pytest
from pypdf import PdfReader, PdfWriter

from ragstone.errors import Rejected
from ragstone.parsing.pdf import parse_pdf
from ragstone.types import BlockKind, ParsedDocument
from tests.unit.parsing.made import Drawn, paragraph, pdf, pdf_objects, with_outline, with_title
from tests.unit.parsing.made_pdf import grid, lines, pdf_drawn, show

PROSE = [
    "The harbour office is open from nine to five on working days, and it",
    "closes at noon on Saturdays. Permits for the inner basin are issued to",
    "everybody who can show that their vessel is insured against damage.",
]


CELLS = ["Vessel", "Seats", "Petrel", "95", "Gannet", "180"]


def parsed(content: bytes) -> ParsedDocument:
    return parse_pdf(content, source="x.pdf")


def text_on(document: ParsedDocument, number: int) -> str:
    page = document.pages[number - 1]
    return document.text[page.start : page.end].strip()


def code_of(content: bytes) -> str:
    with pytest.raises(Rejected) as rejected:
        parsed(content)
    return rejected.value.code


def test_wrapped_lines_are_paragraphs_and_space_between_lines_parts_them() -> None:
    document = parsed(pdf([*paragraph(PROSE), *paragraph(PROSE, top=640)]))
    assert document.text == "\n\n".join([" ".join(PROSE)] * 2)


def test_each_page_knows_its_text() -> None:
    document = parsed(
        pdf(*[[Drawn(f"The {ship} carries {seats} passengers.")] for ship, seats in (("Petrel", 95), ("Gannet", 180))])
    )
    assert [text_on(document, number) for number in (1, 2)] == [
        "The Petrel carries 95 passengers.",
        "The Gannet carries 180 passengers.",
    ]


def test_a_sentence_that_runs_over_a_page_break_stays_whole() -> None:
    document = parsed(pdf(paragraph(PROSE[:2]), paragraph(PROSE[2:])))
    assert document.text == " ".join(PROSE)
    assert text_on(document, 2) == PROSE[2]


def test_columns_are_read_one_after_the_other() -> None:
    left, right = (
        paragraph([f"{side} one: fares", f"{side} two: rise."], x=x) for side, x in (("LEFT", 60), ("RIGHT", 330))
    )
    assert parsed(pdf([*left, *right])).text.split("\n") == [
        "LEFT one: fares",
        "LEFT two: rise.",
        "RIGHT one: fares",
        "RIGHT two: rise.",
    ]


def test_bookmarks_are_headings_with_levels_and_paths() -> None:
    pages = [
        [
            Drawn("1 Fares", size=16),
            *paragraph(PROSE, top=670),
            Drawn("1.1 Night", y=600, bold=True),
            Drawn("Night fares are double.", y=580),
        ],
        [Drawn("2 Refunds of all", size=16), Drawn("kinds", y=680, size=16), Drawn("Refunds take a week.", y=650)],
    ]
    outline: list[tuple[str, int, int | None]] = [
        ("Fares", 0, None),
        ("1.1 Night", 0, 0),
        ("Refunds of all kinds", 1, None),
        ("Not there", 1, None),
    ]
    document = parsed(with_outline(pdf(*pages), outline))
    assert [(section.title, section.level, section.path) for section in document.sections] == [
        ("1 Fares", 1, ("1 Fares",)),
        ("1.1 Night", 2, ("1 Fares", "1.1 Night")),
        ("2 Refunds of all kinds", 1, ("2 Refunds of all kinds",)),
    ]
    assert document.text.endswith("2 Refunds of all kinds\n\nRefunds take a week.")


def test_columns_that_are_drawn_line_by_line_are_read_one_after_the_other() -> None:
    fares = ["The fares of the harbour line rise by four", "percent in March; those of the hill line stay."]
    ships = ["The museum ship opens on Sundays at ten, and", "it closes when the last guest has left it."]
    left, right = paragraph(fares, x=60), paragraph(ships, x=330)
    document = parsed(pdf([piece for pair in zip(left, right, strict=True) for piece in pair]))
    assert document.text.split("\n") == [" ".join(fares), " ".join(ships)]


def test_larger_letters_and_numbers_are_headings_without_bookmarks() -> None:
    document = parsed(
        pdf(
            [
                Drawn("Ferry handbook", y=780, size=22),
                Drawn("3 Fares", y=740, size=15),
                *paragraph(PROSE, top=715),
                Drawn("3.2.1 Introduction", y=650, bold=True),
                *paragraph(PROSE, top=630),
                Drawn("Never leave the boat before the bell has rung.", y=560, bold=True),
                *paragraph(PROSE, top=540),
            ]
        )
    )
    assert [(section.title, section.level, section.path[-2:]) for section in document.sections] == [
        ("Ferry handbook", 1, ("Ferry handbook",)),
        ("3 Fares", 1, ("3 Fares",)),
        ("3.2.1 Introduction", 3, ("3 Fares", "3.2.1 Introduction")),
    ]
    assert document.title == "Ferry handbook"


def test_running_heads_and_page_numbers_are_left_out() -> None:
    pages = [
        [
            Drawn("Harbourline - internal", y=810, size=8),
            Drawn(f"Valve {100 + n} is rated for {n * 3} bar."),
            Drawn(f"Page {n} of 5", y=30, size=8),
        ]
        for n in range(1, 6)
    ]
    document = parsed(pdf(*pages))
    assert document.text == "\n\n".join(f"Valve {100 + n} is rated for {n * 3} bar." for n in range(1, 6))
    assert text_on(document, 4) == "Valve 104 is rated for 12 bar."


def test_a_table_s_rows_name_their_columns() -> None:
    rows = [("Route", "Mon", "Thu"), ("North", "0610", "0625"), ("South", "-", "0725")]
    table = [
        Drawn(cell, x, 660 - 18 * at, bold=at == 0)
        for at, row in enumerate(rows)
        for cell, x in zip(row, (60, 160, 260), strict=True)
    ]
    document = parsed(pdf([*paragraph(PROSE), *table, Drawn("After the table.", y=560)]))
    assert document.text.split("\n\n")[1:] == [
        "Route: North | Mon: 0610 | Thu: 0625\nRoute: South | Mon: - | Thu: 0725",
        "After the table.",
    ]


def test_blocks_are_what_they_look_like() -> None:
    document = parsed(
        pdf_drawn(
            [
                show("Boarding", y=780, size=16),
                *lines(PROSE, y=750),
                *lines(["• bring a rope, and", "• leave the pier."], y=690),
                *lines(["def fare():", "    return 4"], y=640, font=4),
                show("Figure 2: The quay in winter", y=590),
                *grid([60, 160, 260], [480, 500, 520, 540]),
                *[show(t, 64 + 100 * (at % 2), 525 - 20 * (at // 2)) for at, t in enumerate(CELLS)],
            ]
        )
    )
    assert [(block.kind, document.text[block.start : block.end]) for block in document.blocks] == [
        (BlockKind.HEADING, "Boarding"),
        (BlockKind.PARAGRAPH, " ".join(PROSE)),
        (BlockKind.LIST, "• bring a rope, and\n• leave the pier."),
        (BlockKind.CODE, "def fare():\n    return 4"),
        (BlockKind.CAPTION, "Figure 2: The quay in winter"),
        (BlockKind.TABLE, "Vessel: Petrel | Seats: 95\nVessel: Gannet | Seats: 180"),
    ]


def test_a_ruled_table_goes_on_under_its_header_on_the_next_page() -> None:
    xs, ys = [60, 160, 260], [480, 500, 520, 540]
    pages = [
        [*grid(xs, ys), *[show(t, 64 + 100 * (at % 2), 525 - 20 * (at // 2)) for at, t in enumerate(cells)]]
        for cells in (CELLS, ["Curlew", "60", "Eider", "24", "Dunlin", "112"])
    ]
    assert parsed(pdf_drawn(*pages)).text.split("\n\n")[1] == "\n".join(
        ["Vessel: Curlew | Seats: 60", "Vessel: Eider | Seats: 24", "Vessel: Dunlin | Seats: 112"]
    )


def test_pages_without_text_are_named() -> None:
    document = parsed(pdf([Drawn("One.")], [], [Drawn("Three.")], []))
    assert document.warnings == ("No text on pages 2 and 4 (scanned?), so nothing there can be found without OCR.",)
    assert [page.number for page in document.pages] == [1, 2, 3, 4]


def test_a_pdf_without_any_text_says_that_it_needs_ocr() -> None:
    document = parsed(pdf([], []))
    assert (document.text, document.blocks, len(document.pages)) == ("", (), 2)
    assert document.warnings == (
        "No text on any page: the file is scanned and needs OCR, or nothing in it can be found.",
    )


def test_title_language_author_and_dates_come_from_the_file() -> None:
    document = parsed(with_title(pdf([Drawn("x")]), "Fares 2026", "de-AT"))
    assert (document.title, document.language) == ("Fares 2026", "de")
    writer = PdfWriter(clone_from=PdfReader(BytesIO(pdf([Drawn("x")]))))
    writer.add_metadata({"/Author": "A. Mole", "/CreationDate": "D:20260131120000+01'00'", "/ModDate": "D:nonsense"})
    content = BytesIO()
    writer.write(content)
    assert parsed(content.getvalue()).metadata == {"author": "A. Mole", "created": "2026-01-31T11:00:00Z"}


@pytest.mark.parametrize("title", ["untitled", "Untitled spreadsheet", "Microsoft Word - fares.doc", "fares.PDF", " "])
def test_a_title_that_a_program_made_up_is_none(title: str) -> None:
    assert parsed(with_title(pdf([Drawn("x")]), title)).title is None


def test_a_broken_table_of_objects_is_rebuilt() -> None:
    content = pdf([Drawn("The Petrel carries 95 passengers.")])
    start = content.index(b"startxref\n") + 10
    assert parsed(content[:start] + b"7\n%%EOF\n").text == "The Petrel carries 95 passengers."


def test_page_trees_and_forms_that_hold_themselves_end() -> None:
    assert code_of(pdf_objects("<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Count 1/Kids[2 0 R]>>")) == "damaged"


def test_text_in_private_letters_is_flagged() -> None:
    unicode_map = (
        "/CIDInit /ProcSet findresource begin 12 dict begin begincmap "
        "1 begincodespacerange <00> <FF> endcodespacerange "
        "1 beginbfrange <20> <7E> <E020> endbfrange endcmap end end"
    )
    text = "BT /F1 11 Tf 1 0 0 1 60 700 Tm (readable on screen only) Tj ET"
    content = pdf_objects(
        "<</Type/Catalog/Pages 2 0 R>>",
        "<</Type/Pages/Count 1/Kids[3 0 R]>>",
        "<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>",
        f"<</Length {len(text)}>>stream\n{text}\nendstream",
        "<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding/ToUnicode 6 0 R>>",
        f"<</Length {len(unicode_map)}>>stream\n{unicode_map}\nendstream",
    )
    document = parsed(content)
    assert len(document.text) == len("readable on screen only")
    assert document.warnings == (
        "Unknown characters on page 1, because the fonts there don't say which letters they are.",
    )


def test_the_library_s_own_warnings_make_no_noise(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG):
        parsed(pdf([Drawn("x")]).replace(b"startxref\n", b"startxref\n1"))
    assert caplog.records == []
