from __future__ import annotations

import pytest

from ragstone.errors import Rejected
from ragstone.parsing.rtf import parse_rtf
from ragstone.types import ParsedDocument
from tests.unit.parsing.reading import blocks


def parsed(body: str, head: str = "\\ansi\\ansicpg1252") -> ParsedDocument:
    return parse_rtf(f"{{\\rtf1{head}{{\\fonttbl{{\\f0 Helvetica;}}}}{body}}}".encode(), source="x.rtf")


def test_paragraphs_lists_and_tables_are_blocks() -> None:
    row = "\\trowd\\cellx1000\\cellx2000 {}\\cell {}\\cell\\row\n"
    body = (
        "\\pard Bring:\\par {\\listtext\\'b7\\tab}a coat\\par {\\listtext\\'b7\\tab}a hat\\par "
        + row.format("Ticket", "Price")
        + row.format("Night", "17.30")
        + "\\pard Thank you.\\par"
    )
    assert blocks(parsed(body)) == [
        ("paragraph", "Bring:"),
        ("list", "· a coat\n· a hat"),
        ("table", "Ticket: Night | Price: 17.30"),
        ("paragraph", "Thank you."),
    ]


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ("caf\\'e9 \\u8364?4.20", "café €4.20"),
        ("\\u-10179?\\u-8704? a smile", "😀 a smile"),
        ("a lone \\u-10179? half", "a lone  half"),
        ("{\\*\\comment secret}seen", "seen"),
        ("{\\info{\\title T}{\\author A}}body", "body"),
        ("", ""),
    ],
)
def test_characters_are_those_that_a_reader_sees(body: str, text: str) -> None:
    assert parsed(body).text == text


def test_the_code_page_that_a_file_names_is_used() -> None:
    assert parsed("\\'cf\\'f0\\'e8\\'f1\\'f2\\'e0\\'ed\\'fc", head="\\ansi\\ansicpg1251").text == "Пристань"


@pytest.mark.parametrize("body", ["\\u9999999999?", "\\uc x", "{\\pict\\bin x}"])
def test_numbers_that_make_no_sense_are_damage(body: str) -> None:
    with pytest.raises(Rejected) as rejected:
        parsed(body)
    assert rejected.value.code == "damaged"
