from __future__ import annotations

import pytest
from docx.oxml import parse_xml

from ragstone.parsing.docx_numbering import ListPlace, Numbering
from tests.unit.parsing.made import NAMESPACES


def numbering(format_name: str, text: str = "%1.", start: int = 1) -> Numbering:
    level = f'<w:lvl><w:start w:val="{start}"/><w:numFmt w:val="{format_name}"/><w:lvlText w:val="{text}"/></w:lvl>'
    return Numbering(
        parse_xml(
            f'<w:numbering {NAMESPACES}><w:abstractNum w:abstractNumId="0">{level}</w:abstractNum>'
            '<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>'
            '<w:num w:numId="2"><w:abstractNumId w:val="0"/></w:num></w:numbering>'
        )
    )


@pytest.mark.parametrize(
    ("format_name", "start", "labels"),
    [
        ("decimal", 1, ["1.", "2."]),
        ("decimal", 9, ["9.", "10."]),
        ("decimalZero", 9, ["09.", "10."]),
        ("lowerLetter", 26, ["z.", "aa."]),
        ("upperLetter", 2, ["B.", "C."]),
        ("lowerRoman", 4, ["iv.", "v."]),
        ("upperRoman", 1999, ["MCMXCIX.", "MM."]),
        ("upperRoman", 9999, ["9999.", "10000."]),
        ("bullet", 1, ["-", "-"]),
        ("somethingElse", 3, ["3.", "4."]),
    ],
)
def test_each_format_counts_in_its_own_way(format_name: str, start: int, labels: list[str]) -> None:
    lists = numbering(format_name, start=start)
    assert [lists.label(ListPlace("1", 0)), lists.label(ListPlace("1", 0))] == labels


def test_lists_of_the_same_kind_go_on_counting() -> None:
    lists = numbering("decimal", text="Article %1")
    assert lists.label(ListPlace("1", 0)) == "Article 1"
    assert lists.label(ListPlace("2", 0)) == "Article 2"


def test_a_list_that_is_not_defined_has_bullets() -> None:
    assert Numbering(None).label(ListPlace("5", 3)) == "-"
    assert numbering("decimal").label(ListPlace("1", 8)) == "-"
