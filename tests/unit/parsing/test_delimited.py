from __future__ import annotations

import csv
from io import StringIO

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragstone.parsing.delimited import parse_delimited
from ragstone.types import ParsedDocument
from tests.unit.parsing.reading import blocks


def parsed(text: str, source: str = "t.csv") -> ParsedDocument:
    return parse_delimited(text.encode(), source=source)


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("id,note\n1,plain\n2,other\n", ["id: 1 | note: plain", "id: 2 | note: other"]),
        ('\ufeff"Name, full",Berth\n"Okafor, Ada",B7\n', ["Name, full: Okafor, Ada | Berth: B7"]),
        (
            "Strecke;Preis;Hinweis\nNord;12,50;hin, zurück, Rad\n",
            ["Strecke: Nord | Preis: 12,50 | Hinweis: hin, zurück, Rad"],
        ),
        ("a|b\n1|x, y; z\n", ["a: 1 | b: x, y; z"]),
        ("port\nHalifax\nBergen, old town\n", ["port: Halifax", "port: Bergen, old town"]),
        (
            'id,text\n1,"two\nlines, ""quoted"""\n2,plain\n',
            ['id: 1 | text: two lines, "quoted"', "id: 2 | text: plain"],
        ),
        ("id,note\r\n1,a\r\n\r\n2,b\r\n", ["id: 1 | note: a", "id: 2 | note: b"]),
        ("a,a\n1,2\n", ["a: 1 | a: 2"]),
        ("1,Ada,4.20\n2,Per,3.10\n", ["1 | Ada | 4.20", "2 | Per | 3.10"]),
        ("id,note\n1,be\0fore\n", ["id: 1 | note: before"]),
        ("vessel,built,capacity\n", ["vessel | built | capacity"]),
    ],
)
def test_each_row_is_a_line_that_names_its_columns(text: str, lines: list[str]) -> None:
    document = parsed(text)
    assert document.text.split("\n") == lines
    assert document.warnings == ()


def test_tab_separated_values_keep_their_type() -> None:
    document = parsed("a\tb\n1\t2, 3\n", source="t.tsv")
    assert (document.media_type, document.text) == ("text/tab-separated-values", "a: 1 | b: 2, 3")


def test_commas_in_a_tsv_of_one_column_cut_nothing() -> None:
    assert parsed("ports\tn\nBergen, Oslo\t2\n", source="t.tsv").text == "ports: Bergen, Oslo | n: 2"


def test_title_lines_above_a_table_stand_alone() -> None:
    text = "Report 2026\n\nroute,adult,child\nnorth,4.20,2.10\nsouth,3.10,1.60\n"
    assert parsed(text).text == (
        "Report 2026\n\nroute: north | adult: 4.20 | child: 2.10\nroute: south | adult: 3.10 | child: 1.60"
    )
    assert [kind for kind, _ in blocks(parsed(text))] == ["paragraph", "table"]


def test_ragged_rows_are_kept_and_named_by_line() -> None:
    document = parsed('a,b,c\n1,2\n1,2,3\n"x\ny",2,3,4\n1\n')
    assert document.text == "a: 1 | b: 2\na: 1 | b: 2 | c: 3\na: x y | b: 2 | c: 3 | 4\na: 1"
    assert document.warnings == (
        "3 rows don't have 3 cells as the first row does (lines 2, 4 and 6); all cells were kept.",
    )


def test_a_quote_that_never_ends_swallows_nothing() -> None:
    document = parsed('id,text\n0,fine\n1,"opened and never closed\n2,row two\n3,row three\n')
    assert document.text.split("\n") == [
        "id: 0 | text: fine",
        "id: 1 | text: opened and never closed",
        "id: 2 | text: row two",
        "id: 3 | text: row three",
    ]
    assert document.warnings == (
        "The quote that begins in line 3 never ends; from there on each line was read as a row.",
    )


def test_a_cell_may_be_longer_than_the_csv_module_allows_by_default() -> None:
    long = "tide" * 50_000
    assert parsed(f"id,log\n1,{long}\n2,last\n").text == f"id: 1 | log: {long}\nid: 2 | log: last"


def test_an_empty_file_is_an_empty_text() -> None:
    assert parsed("\n \r\n").text == ""


CELLS = st.text("ab 'é,\"\n", min_size=1, max_size=8).map(lambda cell: f"x{cell}x")


@given(st.integers(2, 5).flatmap(lambda width: st.lists(st.lists(CELLS, min_size=width, max_size=width), min_size=2)))
def test_whatever_the_csv_module_writes_is_read_back(rows: list[list[str]]) -> None:
    buffer = StringIO(newline="")
    csv.writer(buffer).writerows(rows)
    names, *body = [[" ".join(cell.split()) for cell in row] for row in rows]
    expected = [" | ".join(f"{name}: {cell}" for name, cell in zip(names, row, strict=True)) for row in body]
    assert parsed(buffer.getvalue()).text.split("\n") == expected
