from __future__ import annotations

from ragstone.parsing.pdf_furniture import EdgeLine, furniture


def found(*pages: list[str], size: int = 10) -> list[set[int]]:
    """The furniture of pages whose lines stand 14 points below each other, from the top of the page."""
    return furniture([[EdgeLine(line, size, 780 - 14 * at) for at, line in enumerate(lines)] for lines in pages])


def test_lines_that_repeat_at_the_edges_are_found() -> None:
    pages = [["Harbourline", *(f"Text {name * at}." for at in range(1, 6)), "printed 4 May"] for name in "abc"]
    assert found(*pages) == [{0, 6}] * 3


def test_a_number_that_counts_the_pages_makes_no_difference() -> None:
    assert (
        found(*[[f"Page {n} of 9 - printed 4 May", f"Content of {name}."] for n, name in enumerate("abc", 5)])
        == [{0}] * 3
    )


def test_lines_in_which_several_numbers_change_are_content() -> None:
    pages = [
        [f"Item {n}: valve {100 + n} is rated for {7 + n} bar.", f"Text {name}"] for n, name in enumerate("abcd", 1)
    ]
    assert found(*pages) == [set()] * 4


def test_a_page_number_alone_is_found_without_repetition() -> None:
    assert found(["Text.", "1"], ["More text.", "- 2 -"]) == [{1}, {1}]
    assert found(["Text.", "7"], ["More text.", "1987"]) == [set(), set()]


def test_a_page_is_never_emptied() -> None:
    assert found(["Log sheet"], ["Log sheet"], ["Log sheet"]) == [set()] * 3


def test_two_pages_are_too_few_to_tell() -> None:
    assert found(["Head", "a"], ["Head", "b"]) == [set(), set()]


def test_a_title_in_larger_letters_is_no_running_head() -> None:
    cover = [EdgeLine("Handbook", 24, 780), EdgeLine("Edition 9", 10, 766)]
    rest = [[EdgeLine("Handbook", 8, 780), EdgeLine(f"Text {name}", 10, 766)] for name in "abc"]
    assert furniture([cover, *rest]) == [set(), {0}, {0}, {0}]
