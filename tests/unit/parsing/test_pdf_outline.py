from __future__ import annotations

import pytest

from ragstone.parsing.pdf_outline import Bookmark, FoundHeading, headings_on_page


def found(lines: list[str], *titles: str) -> list[FoundHeading]:
    return list(headings_on_page(lines, [Bookmark(title, 2, 1) for title in titles]).values())


@pytest.mark.parametrize(
    ("line", "title"),
    [
        ("Fares", "Fares"),
        ("1 Fares", "Fares"),
        ("1.2.3  Fares", "Fares"),
        ("Chapter 4. Fares", "Fares"),
        ("FARES", "Fares"),
        ("Fares", "2.1 Fares"),
        ("Night  fares: an overview", "Night fares - an overview"),
    ],
)
def test_a_title_is_found_whatever_its_number_and_case(line: str, title: str) -> None:
    assert found(["Text above.", line, "Text below."], title) == [FoundHeading(line, 2, 1, 1)]


def test_a_title_on_several_lines_is_found() -> None:
    assert found(["A title that", "takes two lines", "Text."], "A title that takes two lines") == [
        FoundHeading("A title that takes two lines", 2, 0, 2)
    ]


def test_titles_are_found_in_their_order() -> None:
    headings = found(["Fares", "text", "Fares", "text"], "Fares", "Fares", "Fares")
    assert [heading.at for heading in headings] == [0, 2]


def test_a_title_that_the_page_doesn_t_show_is_left_out() -> None:
    assert found(["Fares are shown below.", "..."], "Fares", "", "...") == []
