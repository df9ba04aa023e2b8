from __future__ import annotations

from collections.abc import Sequence

from ragstone.parsing.pdf_table_text import TableTexts
from ragstone.parsing.pdf_tables import PageTable
from ragstone.parsing.tables import Place

HEADER = ["Vessel", "Seats"]
ROWS = [["Petrel", "95"], ["Gannet", "180"]]


def table(rows: Sequence[Sequence[str | Place]], *, own_letters: bool = False) -> PageTable:
    grid = [[place if isinstance(place, Place) else Place(place) for place in row] for row in rows]
    return PageTable(grid, tuple(100.0 * at for at in range(len(grid[0]))), own_letters, 700, ruled=True)


def test_rows_name_their_columns() -> None:
    assert list(TableTexts().lines(table([HEADER, *ROWS]), on_top=False)) == [
        "Vessel: Petrel | Seats: 95",
        "Vessel: Gannet | Seats: 180",
    ]


def test_a_table_goes_on_under_the_header_of_the_page_before() -> None:
    texts = TableTexts()
    list(texts.lines(table([HEADER, ROWS[0]]), on_top=False))
    assert list(texts.lines(table([ROWS[1], ["Curlew", "60"]]), on_top=True)) == [
        "Vessel: Gannet | Seats: 180",
        "Vessel: Curlew | Seats: 60",
    ]


def test_a_header_that_is_repeated_on_each_page_is_none_of_the_rows() -> None:
    texts = TableTexts()
    list(texts.lines(table([HEADER, ROWS[0]], own_letters=True), on_top=False))
    repeated = table([HEADER, ROWS[1]], own_letters=True)
    assert list(texts.lines(repeated, on_top=True)) == ["Vessel: Gannet | Seats: 180"]


def test_another_header_begins_another_table() -> None:
    texts = TableTexts()
    list(texts.lines(table([HEADER, *ROWS]), on_top=False))
    other = table([["Line", "Colour"], ["7", "red"]], own_letters=True)
    assert list(texts.lines(other, on_top=True)) == ["Line: 7 | Colour: red"]


def test_two_rows_of_names_are_one_header() -> None:
    wide = [["Route", "Crossings", Place("Crossings", repeated=True)], ["", "Monday", "Sunday"], ["North", "9", "4"]]
    assert list(TableTexts().lines(table(wide), on_top=False)) == [
        "Route: North | Crossings Monday: 9 | Crossings Sunday: 4"
    ]


def test_a_caption_over_the_whole_table_stands_alone() -> None:
    captioned = [["Fleet of 2026", Place("Fleet of 2026", repeated=True)], HEADER, *ROWS]
    assert list(TableTexts().lines(table(captioned), on_top=False))[:2] == [
        "Fleet of 2026",
        "Vessel: Petrel | Seats: 95",
    ]


def test_numbers_alone_have_no_header() -> None:
    assert list(TableTexts().lines(table([["200", "1"], ["400", "3"]]), on_top=False)) == ["200 | 1", "400 | 3"]
