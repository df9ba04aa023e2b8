from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ragstone.parsing.pdf_columns import Part, in_columns

PROSE = 45
CELL = 6


def column(
    left: float, right: float, *, top: float, count: int, letters: int = PROSE, drawn: int = 0, every: int = 1
) -> list[Part]:
    """Lines below each other, 14 points high; every other one is drawn in between, if `every` is 2."""
    return [
        Part(left, right, top - 14 * at - 3, top - 14 * at + 9, top - 14 * at, letters, 0, drawn + every * at)
        for at in range(count)
    ]


def read(parts: list[Part]) -> list[list[int]]:
    """The groups, each line by when it is drawn."""
    return [[part.drawn for part in group if part.letters] for group in in_columns(parts)]


def test_columns_are_read_one_after_the_other() -> None:
    left, right = column(60, 280, top=700, count=4), column(310, 530, top=700, count=4, drawn=4)
    assert read([*right, *left]) == [[0, 1, 2, 3], [4, 5, 6, 7]]


def test_columns_that_are_drawn_line_by_line_are_columns_all_the_same() -> None:
    left = column(60, 280, top=700, count=4, every=2)
    right = column(310, 530, top=700, count=4, drawn=1, every=2)
    assert read([*left, *right]) == [[0, 2, 4, 6], [1, 3, 5, 7]]


def test_cells_that_are_drawn_row_by_row_are_read_so() -> None:
    left = column(60, 100, top=700, count=4, letters=CELL, every=2)
    right = column(310, 340, top=700, count=4, letters=CELL, drawn=1, every=2)
    assert [sorted(group) for group in read([*left, *right])] == [list(range(8))]


def test_a_title_over_both_columns_comes_first_and_a_line_below_last() -> None:
    title, foot = column(150, 440, top=760, count=1, drawn=8), column(60, 530, top=600, count=1, drawn=9)
    left, right = column(60, 280, top=700, count=4), column(310, 530, top=700, count=4, drawn=4)
    assert read([*left, *right, *title, *foot]) == [[8], [0, 1, 2, 3], [4, 5, 6, 7], [9]]


def test_three_columns_are_three() -> None:
    columns = [
        part
        for number, left in enumerate((50, 230, 410))
        for part in column(left, left + 160, top=700, count=5, drawn=5 * number)
    ]
    assert read(columns) == [[0, 1, 2, 3, 4], [5, 6, 7, 8, 9], [10, 11, 12, 13, 14]]


def test_a_number_in_the_margin_of_each_line_stays_with_it() -> None:
    numbers = [part._replace(digits=2, letters=2) for part in column(530, 540, top=700, count=6, drawn=6)]
    assert read([*column(60, 400, top=700, count=6), *numbers]) == [list(range(12))]


@given(
    st.lists(st.tuples(st.integers(0, 500), st.integers(1, 200), st.integers(0, 800), st.integers(1, 60)), max_size=40)
)
def test_every_part_is_read_once(boxes: list[tuple[int, int, int, int]]) -> None:
    parts = [
        Part(left, left + width, top - 10, top, top - 8, letters, 0, at)
        for at, (left, width, top, letters) in enumerate(boxes)
    ]
    assert sorted(part.drawn for group in in_columns(parts) for part in group) == list(range(len(parts)))
