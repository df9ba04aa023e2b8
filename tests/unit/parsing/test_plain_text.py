from __future__ import annotations

from ragstone.parsing.plain_text import parse_text
from tests.unit.parsing.reading import blocks

WRAPPED = """\
NOTICE TO ALL SKIPPERS

The harbour office is open from nine to five on working days, and it
closes at noon on Saturdays.  Permits for the inner basin are issued to
everybody who can show that their vessel is insured.

Route     Mon    Tue
North     0610   0615
"""


def test_hard_wrapped_paragraphs_are_joined_and_columns_stay_lines() -> None:
    assert parse_text(WRAPPED.encode(), source="n.txt").text == (
        "NOTICE TO ALL SKIPPERS\n\n"
        "The harbour office is open from nine to five on working days, and it closes at noon on Saturdays.  "
        "Permits for the inner basin are issued to everybody who can show that their vessel is insured.\n\n"
        "Route     Mon    Tue\nNorth     0610   0615"
    )


def test_blocks_are_paragraphs_lists_and_lines_in_columns() -> None:
    document = parse_text(f"{WRAPPED}\n- bring a coat\n- bring a hat\n\nTotal:   4\n".encode(), source="n.txt")
    assert [(kind, text.partition("\n")[0][:20]) for kind, text in blocks(document)] == [
        ("paragraph", "NOTICE TO ALL SKIPPE"),
        ("paragraph", "The harbour office i"),
        ("table", "Route     Mon    Tue"),
        ("list", "- bring a coat"),
        ("paragraph", "Total:   4"),
    ]


def test_a_log_keeps_its_lines() -> None:
    log = "\n".join(
        f"2026-03-0{day} 06:12:44 INFO the pump of valve {day} was started by the night shift" for day in range(1, 8)
    )
    assert parse_text(log.encode(), source="pump.log").text == log


def test_form_feeds_are_page_breaks() -> None:
    document = parse_text(b"One.\fTwo.\n\nStill two.\f\fFour.\n\f", source="p.txt")
    assert document.text == "One.\n\nTwo.\n\nStill two.\n\nFour."
    assert [(page.number, document.text[page.start : page.end]) for page in document.pages] == [
        (1, "One.\n\n"),
        (2, "Two.\n\nStill two.\n\n"),
        (3, ""),
        (4, "Four."),
    ]


def test_a_file_without_form_feeds_has_no_pages() -> None:
    assert parse_text(b"One.", source="p.txt").pages == ()


def test_white_space_alone_is_an_empty_text() -> None:
    assert parse_text(" \n\t\r\n\u3000 ".encode(), source="w.txt").text == ""
    assert parse_text(b"\xef\xbb\xbf", source="w.txt").text == ""
