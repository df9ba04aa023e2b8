from __future__ import annotations

import pytest

from ragstone.parsing.pdf_heading_levels import depth_of
from ragstone.parsing.pdf_headings import headings_of, title_of
from ragstone.parsing.pdf_layout import PageItem
from ragstone.parsing.pdf_outline import FoundHeading
from ragstone.parsing.pdf_tables import PageTable
from ragstone.parsing.pdf_words import Style, style_of
from ragstone.parsing.tables import Place
from tests.unit.parsing.made_lines import BODY, BOLD, CODE, FORMULA, LARGE, PageLine, below, line

HUGE = style_of("Times-Roman", 24.0)
SENTENCE = "The harbour office is open from nine to five on working days, and it"
PROSE = [line(SENTENCE, columns=(60,))] * 12


def titled(text: str, style: Style = BODY, *, gap: bool = True) -> PageLine:
    return line(text, columns=(60,), style=style, gap=gap)


def found(*lines: PageLine) -> list[tuple[int, str]]:
    """Levels and titles of the headings on a page whose text is set in BODY."""
    [headings] = headings_of([[*below(*lines), *below(*PROSE, top=300)]], [{}])
    return [(heading.level, heading.text) for _, heading in sorted(headings.items())]


@pytest.mark.parametrize(
    ("text", "depth"),
    [
        ("3 Fares", 1),
        ("3. Fares", 1),
        ("3.2 Fares", 2),
        ("3.2.1 Introduction", 3),
        ("3.2.1. Introduction", 3),
        ("A.1 Words used", 2),
        ("A. Words used", 1),
        ("IV. Results", 1),
        ("Chapter 4", 1),
        ("Kapitel 12: Fahrpreise", 1),
        ("§ 5 Geltung", 1),
        ("第三章 运价", 1),
        ("A new fare", None),
        ("Fares", None),
        ("1987 was cold", None),
        ("2) Fares", None),
    ],
)
def test_a_number_tells_how_deep_a_heading_lies(text: str, depth: int | None) -> None:
    assert depth_of(text) == depth


def test_larger_letters_head_what_follows() -> None:
    assert found(titled("Fares", HUGE), PROSE[0], titled("Night fares", LARGE), PROSE[0]) == [
        (1, "Fares"),
        (2, "Night fares"),
    ]


def test_numbers_tell_the_level_and_letters_that_of_the_others() -> None:
    lines = [titled("3.2 Fares", LARGE), PROSE[0], titled("3.2.1 Introduction", BOLD), PROSE[0], titled("Notes", BOLD)]
    assert found(*lines, PROSE[0]) == [(2, "3.2 Fares"), (3, "3.2.1 Introduction"), (3, "Notes")]


def test_below_roman_numbers_letters_are_one_deeper() -> None:
    caps, slanted = style_of("LMRomanCaps10-Regular", 10.0), style_of("Times-Italic", 10.0)
    lines = [titled("II. Background", caps), PROSE[0], titled("A. Composition theorems", slanted), PROSE[0]]
    assert found(*lines) == [(1, "II. Background"), (2, "A. Composition theorems")]


def test_a_heading_on_two_lines_is_one() -> None:
    assert found(titled("Winter service and", LARGE), titled("its exceptions", LARGE, gap=False), PROSE[0]) == [
        (1, "Winter service and its exceptions")
    ]


def test_a_number_with_several_parts_needs_no_other_letters() -> None:
    assert found(titled("2.4 The night ferry"), titled(SENTENCE)) == [(2, "2.4 The night ferry")]
    assert found(titled("2.4 metres of water", gap=False), PROSE[0]) == []


@pytest.mark.parametrize(
    "no_heading",
    [
        titled("Never step over the red line.", BOLD),
        titled("bold words that go on from the line above", BOLD),
        titled("Bold words within a paragraph", BOLD, gap=False),
        titled("1,310.00", HUGE),
        titled("Fares . . . . . . . . 12", LARGE),
        titled("Never leave the boat before the bell has rung twice!", LARGE),
        titled("F = ma", style_of("CMMI10", 14.0)),
        titled("make demo", style_of("Courier-Bold", 10.0)),
        line("Adult", "Child", style=BOLD, gap=True),
    ],
    ids=lambda item: item.text,
)
def test_what_is_no_title_is_no_heading(no_heading: PageLine) -> None:
    assert found(no_heading, PROSE[0]) == []


def test_a_bold_beginning_of_a_sentence_is_no_heading() -> None:
    assert found(titled("Never step over the red line and not", BOLD), titled("over the blue one either, ever.")) == []


def test_labels_that_head_nothing_are_no_headings() -> None:
    labels = [titled(text, LARGE) for text in ("Harbour", "Hill", "Quay")]
    assert found(*labels, PROSE[0]) == [(1, "Quay")]
    assert found(titled("Ordered by", BOLD), titled("Marc van Pul")) == []


def test_a_table_has_no_headings() -> None:
    table = PageTable([[Place("Fee")], [Place("1,310.00")]], (60.0,), True, 690)
    items: list[PageItem] = [*below(titled("Fees", BOLD)), table, *below(*PROSE, top=300)]
    assert list(headings_of([items], [{}])[0]) == [0]


def test_the_outline_tells_levels_to_its_own_headings_and_to_others_like_them() -> None:
    page = below(titled("Part One", HUGE), PROSE[0], titled("2 Fares", LARGE), PROSE[0], titled("3 Times", LARGE))
    outlined = {0: FoundHeading("Part One", 1, 0, 1), 2: FoundHeading("2 Fares", 2, 2, 1)}
    [headings] = headings_of([[*page, *below(*PROSE, top=300)]], [outlined])
    assert [(heading.text, heading.level) for _, heading in sorted(headings.items())] == [
        ("Part One", 1),
        ("2 Fares", 2),
        ("3 Times", 2),
    ]


def test_the_title_is_the_largest_heading_of_the_first_page() -> None:
    first = below(titled("Ferry handbook", HUGE), titled("1 Fares", LARGE), *PROSE)
    second = below(titled("2 Times", LARGE), *PROSE)
    pages: list[list[PageItem]] = [[*first], [*second]]
    assert title_of(pages, headings_of(pages, [{}, {}])) == "Ferry handbook"
    assert title_of(pages[1:], headings_of(pages[1:], [{}])) is None


@pytest.mark.parametrize("style", [BOLD, CODE, FORMULA])
def test_a_document_in_special_letters_has_no_headings_by_them(style: Style) -> None:
    assert headings_of([below(*[titled(SENTENCE, style)] * 9)], [{}]) == [{}]


def test_an_empty_page_has_none() -> None:
    assert headings_of([[]], [{}]) == [{}]
