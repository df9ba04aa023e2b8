from __future__ import annotations

import pytest

from ragstone.errors import Rejected
from ragstone.parsing.odt import parse_odt
from ragstone.types import ParsedDocument
from tests.unit.parsing.made import zipped
from tests.unit.parsing.made_office import odt
from tests.unit.parsing.reading import blocks, check_spans


def parsed(body: str, **options: str) -> ParsedDocument:
    document = parse_odt(odt(body, **options), source="x.odt")
    check_spans(document)
    return document


def row(*cells: str) -> str:
    opened = (cell if cell.startswith("<") else f"<table:table-cell>{p(cell)}</table:table-cell>" for cell in cells)
    return f"<table:table-row>{''.join(opened)}</table:table-row>"


def p(text: str, style: str = "Standard") -> str:
    return f'<text:p text:style-name="{style}">{text}</text:p>'


def item(*parts: str) -> str:
    return f"<text:list-item>{''.join(parts)}</text:list-item>"


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ("one<text:s text:c='3'/>two<text:tab/>three<text:line-break/>four", "one   two\tthree\nfour"),
        ("wrapped\n      in the file", "wrapped in the file"),
        ("<text:span>bold</text:span> <text:span>and</text:span> plain", "bold and plain"),
        ("<text:a>linked</text:a><office:annotation><text:p>comment</text:p></office:annotation>", "linked"),
        ("<text:ruby><text:ruby-base>港</text:ruby-base><text:ruby-text>みなと</text:ruby-text></text:ruby>", "港"),
        ("", ""),
    ],
)
def test_what_a_reader_sees_is_the_text(body: str, text: str) -> None:
    assert parsed(p(body)).text == text


def test_headings_lists_and_code_are_told_apart() -> None:
    inner = f"<text:list>{item(p('deep'))}</text:list>"
    styles = '<style:style style:name="P1" style:parent-style-name="Preformatted_20_Text"/>'
    document = parsed(
        '<text:h text:outline-level="1">Fares</text:h><text:h text:outline-level="2">Night</text:h>'
        f"<text:list>{item(p('one'), inner)}{item(p('two'))}</text:list>" + p("x = 1", "P1") + p("y = 2", "P1"),
        styles=styles,
    )
    assert blocks(document) == [
        ("heading", "Fares"),
        ("heading", "Night"),
        ("list", "- one\n- deep\n- two"),
        ("code", "x = 1\ny = 2"),
    ]
    assert [section.path for section in document.sections] == [("Fares",), ("Fares", "Night")]


def test_spanning_cells_are_opened_out() -> None:
    wide = f'<table:table-cell table:number-columns-spanned="3">{p("Not in winter")}</table:table-cell>'
    high = f'<table:table-cell table:number-rows-spanned="2">{p("Skarholm")}</table:table-cell>'
    table = (
        f"<table:table><table:table-header-rows>{row('Route', 'Day', 'Sails')}</table:table-header-rows>"
        + row(high, "Mon", "07:05")
        + row("<table:covered-table-cell/>", "Tue", "09:35")
        + row(wide, '<table:covered-table-cell table:number-columns-repeated="2"/>')
        + "</table:table>"
    )
    assert blocks(parsed(table)) == [
        (
            "table",
            "Route: Skarholm | Day: Mon | Sails: 07:05\nRoute: Skarholm | Day: Tue | Sails: 09:35\nNot in winter",
        )
    ]


def test_tables_of_layout_are_read_cell_by_cell() -> None:
    inner = (
        f"<table:table-cell><table:table>{row('Fare', 'Price')}{row('Night', '17.30')}</table:table></table:table-cell>"
    )
    assert parsed(f"<table:table>{row('Left', inner)}</table:table>").text == "Left\n\nFare: Night | Price: 17.30"
    assert parsed(f"<table:table>{row('Note well.')}</table:table>").text == "Note well."


def test_notes_and_text_boxes_follow_their_paragraph_once() -> None:
    body = f"<text:note-body>{p('In winter only.')}</text:note-body>"
    note = f"<text:note><text:note-citation>1</text:note-citation>{body}</text:note>"
    box = f"<draw:frame><draw:text-box>{p('Figure 1: The quay', 'Illustration')}</draw:text-box></draw:frame>"
    outer = f"<draw:frame><draw:text-box>{p('Outer' + box)}</draw:text-box></draw:frame>"
    assert blocks(parsed(p(f"Sails at nine{note}.{outer}"))) == [
        ("paragraph", "Sails at nine."),
        ("paragraph", "In winter only."),
        ("paragraph", "Outer"),
        ("caption", "Figure 1: The quay"),
    ]


def test_deleted_text_is_not_read() -> None:
    region = f"<text:changed-region><text:deletion>{p('gone')}</text:deletion></text:changed-region>"
    assert parsed(f"<text:tracked-changes>{region}</text:tracked-changes>{p('kept')}").text == "kept"


def test_the_file_says_who_made_it_and_when() -> None:
    meta = (
        "<office:meta><dc:title>Fare rules</dc:title><meta:initial-creator>Ada Okafor</meta:initial-creator>"
        "<meta:creation-date>2026-03-01T10:00:00.123</meta:creation-date><dc:date>2026-03-02T11:00:00</dc:date>"
        "<dc:language>de-DE</dc:language></office:meta>"
    )
    document = parsed(p("x"), meta=meta)
    assert (document.title, document.language) == ("Fare rules", "de")
    assert document.metadata == {
        "author": "Ada Okafor",
        "created": "2026-03-01T10:00:00",
        "modified": "2026-03-02T11:00:00",
    }


def test_a_file_under_a_password_is_told() -> None:
    with pytest.raises(Rejected) as rejected:
        parsed("", manifest="<manifest><encryption-data/></manifest>")
    assert rejected.value.code == "encrypted"


@pytest.mark.parametrize("content", [zipped({"mimetype": "x"}), zipped({"content.xml": "<office"}), b"PK\x03\x04"])
def test_broken_files_are_damaged(content: bytes) -> None:
    with pytest.raises(Rejected) as rejected:
        parse_odt(content, source="x.odt")
    assert rejected.value.code == "damaged"
