from __future__ import annotations

from ragstone.parsing.pdf_furniture import EdgeLine, furniture


def page(*lines: str | tuple[str, int]) -> list[EdgeLine]:
    """Lines from top to bottom, of size 10 unless one is given."""
    sized = [line if isinstance(line, tuple) else (line, 10) for line in lines]
    return [EdgeLine(text, size, -12.0 * at) for at, (text, size) in enumerate(sized)]


def test_lines_that_repeat_at_the_edges_are_found() -> None:
    pages = [page("Harbourline", *(f"Text {name * at}." for at in range(1, 6)), "printed 4 May") for name in "abc"]
    assert furniture(pages) == [{0, 6}] * 3


def test_the_edges_are_where_lines_stand_and_not_when_they_are_drawn() -> None:
    pages = [[*page(*(f"Text {name * at}." for at in range(1, 9))), EdgeLine("Harbourline", 8, 9.0)] for name in "abc"]
    assert furniture([[lines[-1], *lines[:-1]] for lines in pages]) == [{0}] * 3
    assert furniture(pages) == [{8}] * 3


def test_a_number_that_counts_the_pages_makes_no_difference() -> None:
    pages = [page(f"Page {n} of 9 - printed 4 May", f"Content of {name}.") for n, name in enumerate("abc", 5)]
    assert furniture(pages) == [{0}] * 3


def test_lines_in_which_several_numbers_change_are_content() -> None:
    pages = [
        page(f"Item {n}: valve {100 + n} is rated for {7 + n} bar.", f"Text {name}") for n, name in enumerate("abcd", 1)
    ]
    assert furniture(pages) == [set()] * 4


def test_a_page_number_alone_is_found_without_repetition() -> None:
    assert furniture([page("Text.", "1"), page("More text.", "- 2 -")]) == [{1}, {1}]
    assert furniture([page("Text.", "7"), page("More text.", "1987")]) == [set(), set()]
    assert furniture([page("Text.", "7"), page("More text.", "Page 8")], first=7) == [{1}, {1}]


def test_a_page_s_label_is_its_number() -> None:
    assert furniture([page("Text.", "xi"), page("More text.", "1")], labels=["xi", "1"]) == [{1}, {1}]
    assert furniture([page("Text.", "xi"), page("More text.", "1")]) == [set(), set()]


def test_a_page_is_never_emptied() -> None:
    assert furniture([page("Log sheet")] * 3) == [set()] * 3


def test_two_pages_are_too_few_to_tell() -> None:
    assert furniture([page("Head", "a"), page("Head", "b")]) == [set(), set()]


def test_a_title_in_larger_letters_is_no_running_head() -> None:
    pages = [page(("Handbook", 24), "Edition 9"), *(page(("Handbook", 8), f"Text {name}") for name in "abc")]
    assert furniture(pages) == [set(), {0}, {0}, {0}]


def test_what_repeats_below_a_line_that_does_not_is_content() -> None:
    pages = [page(f"Page {n}", f"Part {name}", "No legal weight.", f"Text {name}") for n, name in enumerate("abc", 1)]
    assert furniture(pages) == [{0}] * 3


def test_pages_that_have_more_in_common_than_their_edges_are_copies() -> None:
    pages = [page("Voucher", "For one ride", "Not for sale", "Valid on weekdays", f"Name: {name}") for name in "abc"]
    assert furniture(pages) == [set()] * 3


def test_the_parts_of_a_head_at_one_height_need_not_all_repeat() -> None:
    pages = [
        [EdgeLine(f"Chapter {name}", 8, 9.0), EdgeLine("Handbook", 8, 9.5), *page(f"Text {name}")] for name in "abc"
    ]
    assert furniture(pages) == [{1}] * 3
