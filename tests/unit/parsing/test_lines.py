from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragstone.parsing.lines import Line, reflow

PROSE = [
    "The harbour office is open from nine to five on working days, and it",
    "closes at noon on Saturdays. Permits for the inner basin are issued to",
    "everybody who can show that their vessel is insured against damage.",
]


def flowed(lines: Sequence[Line | str]) -> str:
    made = [line if isinstance(line, Line) else Line(line) for line in lines]
    return "".join(joint + text for joint, _, text in reflow(made)).lstrip("\n")


def test_wrapped_lines_of_a_paragraph_are_joined_by_a_space() -> None:
    assert flowed(PROSE) == " ".join(PROSE)


def test_a_gap_begins_a_new_paragraph() -> None:
    assert flowed([*PROSE, Line("A second paragraph.", gap=True)]) == " ".join(PROSE) + "\n\nA second paragraph."


@pytest.mark.parametrize(
    ("first", "second", "text"),
    [
        ("decides on moor-", "ing permits", "decides on mooring permits"),
        ("the Lucene-", "BM25 baseline", "the Lucene-BM25 baseline"),
        ("from 9-", "11 o'clock", "from 9-\n11 o'clock"),
        (
            "a well-known dual-purpose boat, a dual-",
            "purpose quay",
            "a well-known dual-purpose boat, a dual-purpose quay",
        ),
    ],
)
def test_a_word_broken_at_the_line_s_end_is_mended(first: str, second: str, text: str) -> None:
    assert flowed([first, second]) == text


def test_short_lines_and_rows_of_numbers_stay_lines() -> None:
    rows = ["Route Adult Child", "North 4.20 2.10", "South island express 5.60 2.80", "Night boat 9.00 4.50"]
    assert flowed(rows) == "\n".join(rows)


def test_lines_marked_as_rows_are_never_joined() -> None:
    rows = [Line(line, row=True) for line in PROSE]
    assert flowed(rows) == "\n".join(PROSE)


def test_list_items_are_lines_and_their_own_wrapped_lines_are_joined() -> None:
    items = [
        "- take the ferry that leaves from the inner basin of the harbour at",
        "nine o'clock",
        "- then take the tram",
    ]
    assert flowed([*PROSE, *items]).endswith("harbour at nine o'clock\n- then take the tram")


def test_headings_stand_apart() -> None:
    assert flowed([PROSE[0], Line("fares", level=1), PROSE[1]]) == f"{PROSE[0]}\n\nfares\n\n{PROSE[1]}"


def test_a_sentence_goes_on_over_a_page_break_in_lower_case_only() -> None:
    pages = [Line(PROSE[0], page=1), Line(PROSE[1], page=2), Line(PROSE[2], page=3)]
    assert flowed(pages) == " ".join(PROSE)
    assert flowed([Line(PROSE[0], page=1), Line("The next page.", page=2)]) == f"{PROSE[0]}\n\nThe next page."


def test_text_in_chinese_is_joined_without_a_space() -> None:
    lines = ["船票在第二窗口退款這是我們的規定請保留收據因為沒有收據", "就不能退款也不能換票請各位旅客注意謝謝合作"]
    assert flowed(lines) == "".join(lines)


@given(st.lists(st.text("abc D9.-•|", max_size=40), max_size=12))
def test_no_letter_is_lost_or_added(texts: list[str]) -> None:
    flow = "".join(flowed([Line(text) for text in texts]).split())
    assert flow.replace("-", "") == "".join("".join(texts).split()).replace("-", "")
