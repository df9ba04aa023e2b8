from __future__ import annotations

from datetime import date, datetime
from io import BytesIO
from zipfile import ZipFile

import pytest
from openpyxl import Workbook

from ragstone.errors import Rejected
from ragstone.parsing.xlsx import parse_xlsx
from ragstone.types import ParsedDocument
from tests.unit.parsing.made import zipped
from tests.unit.parsing.made_office import book, saved, xlsx
from tests.unit.parsing.reading import blocks

FARES = [["Ticket", "Adult", "Child"], ["Single", 4.2, 2.1], ["Day", 9, 4.5]]


def parsed(workbook: Workbook) -> ParsedDocument:
    return parse_xlsx(saved(workbook), source="x.xlsx")


def without(content: bytes, *members: str) -> bytes:
    with ZipFile(BytesIO(content)) as archive:
        return zipped({name: archive.read(name) for name in archive.namelist() if name not in members})


def test_each_sheet_is_a_section_and_each_row_names_its_columns() -> None:
    document = parse_xlsx(xlsx(Fares=FARES, Depots=[["Depot", "Trams"], ["North", 12]], Empty=[]), source="x.xlsx")
    assert document.text == (
        "Fares\n\nTicket: Single | Adult: 4.2 | Child: 2.1\nTicket: Day | Adult: 9 | Child: 4.5\n\n"
        "Depots\n\nDepot: North | Trams: 12"
    )
    assert [section.title for section in document.sections] == ["Fares", "Depots"]


def test_titles_above_a_table_and_tables_side_by_side_are_told_apart() -> None:
    rows = [["Fares from May"], [], *FARES, [], [], [None, None, "Depot", "Trams"], [None, None, "North", 12]]
    assert blocks(parse_xlsx(xlsx(Sheet=rows), source="x.xlsx"))[1:] == [
        ("paragraph", "Fares from May"),
        ("table", "Ticket: Single | Adult: 4.2 | Child: 2.1\nTicket: Day | Adult: 9 | Child: 4.5"),
        ("table", "Depot: North | Trams: 12"),
    ]


def test_an_empty_row_within_a_table_does_not_cut_it() -> None:
    rows = [*FARES, [], ["Week", 30, 15]]
    assert blocks(parse_xlsx(xlsx(Sheet=rows), source="x.xlsx"))[1:] == [
        (
            "table",
            "Ticket: Single | Adult: 4.2 | Child: 2.1\nTicket: Day | Adult: 9 | Child: 4.5\n"
            "Ticket: Week | Adult: 30 | Child: 15",
        )
    ]


def test_a_second_table_with_a_header_of_its_own_is_one() -> None:
    rows = [*FARES, [], ["Boat", "Adult", "Crew"], ["Dunlin", 90, 4]]
    assert [text for kind, text in blocks(parse_xlsx(xlsx(Sheet=rows), source="x.xlsx")) if kind == "table"] == [
        "Ticket: Single | Adult: 4.2 | Child: 2.1\nTicket: Day | Adult: 9 | Child: 4.5",
        "Boat: Dunlin | Adult: 90 | Crew: 4",
    ]


def test_a_formula_shows_its_last_value() -> None:
    workbook = book(Sum=[["a", "b"], [1, 2]])
    content = saved(workbook)
    with ZipFile(BytesIO(content)) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    sheet = members["xl/worksheets/sheet1.xml"].replace(b"<v>2</v>", b"<f>A2*20</f><v>40</v>")
    document = parse_xlsx(zipped({**members, "xl/worksheets/sheet1.xml": sheet}), source="x.xlsx")
    assert document.text == "Sum\n\na: 1 | b: 40"


def test_hidden_sheets_are_left_out_and_named() -> None:
    workbook = book(Fares=FARES, Lookup=[["secret"]])
    workbook["Lookup"].sheet_state = "hidden"
    document = parsed(workbook)
    assert "secret" not in document.text
    assert document.warnings == ("Hidden sheets were left out: Lookup.",)


def test_a_stated_size_that_is_wrong_hides_nothing() -> None:
    content = xlsx(Fares=FARES)
    with ZipFile(BytesIO(content)) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    sheet = members["xl/worksheets/sheet1.xml"].replace(b'ref="A1:C3"', b'ref="A1"')
    assert sheet != members["xl/worksheets/sheet1.xml"]
    document = parse_xlsx(zipped({**members, "xl/worksheets/sheet1.xml": sheet}), source="x.xlsx")
    assert "Child: 4.5" in document.text


def test_the_file_says_who_made_it_and_when() -> None:
    workbook = book(Fares=FARES)
    workbook.properties.creator, workbook.properties.title = "Ada Okafor", "Fares 2026"
    workbook.properties.created = datetime(2026, 3, 1, 9, 30)
    document = parsed(workbook)
    assert document.title == "Fares 2026"
    assert (document.metadata["author"], document.metadata["created"]) == ("Ada Okafor", "2026-03-01T09:30:00")


def test_nothing_is_made_up_where_the_file_says_nothing() -> None:
    document = parse_xlsx(without(xlsx(Fares=FARES), "docProps/core.xml"), source="x.xlsx")
    assert (document.title, document.metadata) == (None, {})


def test_dates_are_readable() -> None:
    document = parse_xlsx(xlsx(Dates=[["Event", "Day"], ["Launch", date(2026, 5, 1)]]), source="x.xlsx")
    assert document.text == "Dates\n\nEvent: Launch | Day: 2026-05-01"


@pytest.mark.parametrize("member", ["xl/workbook.xml", "xl/_rels/workbook.xml.rels"])
def test_a_workbook_with_a_part_missing_is_damaged(member: str) -> None:
    with pytest.raises(Rejected) as rejected:
        parse_xlsx(without(xlsx(Fares=FARES), member), source="x.xlsx")
    assert rejected.value.code == "damaged"
