from __future__ import annotations

import csv
import io
import json
from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragstone.errors import InvalidQuery
from ragstone.structured import json_lines
from ragstone.structured.reading import Table, read_table
from ragstone.structured.rows import LONGEST_ROW, BadRow, Format, Row


def table(content: str | bytes) -> Table:
    return read_table(io.BytesIO(content.encode() if isinstance(content, str) else content))


def rows(content: str | bytes) -> list[Row | BadRow]:
    return list(table(content).rows)


def good(content: str | bytes) -> list[dict[str, object]]:
    return [dict(row.cells) for row in rows(content) if isinstance(row, Row)]


def bad(content: str | bytes) -> list[tuple[int, int | None]]:
    """Number and line of each bad row."""
    return [(row.number, row.line) for row in rows(content) if isinstance(row, BadRow)]


@pytest.mark.parametrize(
    ("content", "format_"),
    [
        ("a,b\n1,2\n", Format.CSV),
        ('[{"a": 1}]', Format.JSON),
        ('\n  [\n{"a": 1}]', Format.JSON),
        ('{"a": 1}\n{"a": 2}\n', Format.JSONL),
    ],
)
def test_the_content_tells_the_format(content: str, format_: Format) -> None:
    assert table(content).format is format_


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_any_delimiter_is_found(delimiter: str) -> None:
    lines = [["name", "fare, in crowns", "zones"], ["day", "3,50", "A; B"], ["night", "7,00", "C"]]
    text = io.StringIO()
    csv.writer(text, delimiter=delimiter).writerows(lines)
    assert good(text.getvalue()) == [dict(zip(lines[0], line, strict=True)) for line in lines[1:]]


def test_quoted_cells_hold_delimiters_lines_and_quotes() -> None:
    assert good('name,text\n"a, b","first\nsecond ""quoted"""\n') == [
        {"name": "a, b", "text": 'first\nsecond "quoted"'}
    ]


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
def test_any_line_end_ends_a_row(line_end: str) -> None:
    assert good(line_end.join(["a,b", "1,2", "3,4", ""])) == [{"a": "1", "b": "2"}, {"a": "3", "b": "4"}]


def test_empty_cells_and_lines_are_left_out() -> None:
    assert good("a,b,c\n1, ,3\n\n,,\n4,5,\n") == [{"a": "1", "c": "3"}, {"a": "4", "b": "5"}]


def test_columns_get_names_of_their_own() -> None:
    assert good("a,,a,{b}\n1,2,3,4\n") == [{"a": "1", "column 2": "2", "a 2": "3", "(b)": "4"}]


def test_rows_that_are_too_short_or_too_long_are_reported_and_the_rest_goes_on() -> None:
    content = "a,b\n1,2\n3\n4,5,6\n7,8,,\n9,10\n"
    assert good(content) == [{"a": "1", "b": "2"}, {"a": "7", "b": "8"}, {"a": "9", "b": "10"}]
    found = [row for row in rows(content) if isinstance(row, BadRow)]
    assert [(row.number, row.reason) for row in found] == [
        (2, "it has 1 cells, and the header has 2"),
        (3, "it has 3 cells, and the header has 2"),
    ]


def test_a_quotation_mark_that_never_closes_costs_one_row() -> None:
    content = 'a,b\n1,2\n"3,4\n5,6\n7,8\n'
    assert good(content) == [{"a": "1", "b": "2"}, {"a": "5", "b": "6"}, {"a": "7", "b": "8"}]
    assert bad(content) == [(2, 3)]


def test_a_quotation_mark_that_never_closes_in_a_long_file_costs_one_row() -> None:
    lines = ["a,b", '"1,2', *(f"{n},{'x' * 1_000}" for n in range(3_000))]
    found = rows("\n".join(lines))
    assert found[0] == BadRow(1, "a quotation mark never closes", 2)
    assert [row.number for row in found if isinstance(row, Row)] == list(range(2, 3_002))


def test_a_stray_quotation_mark_costs_its_row() -> None:
    content = 'a,b\n"x"y,2\n3,4\n'
    assert good(content) == [{"a": "3", "b": "4"}]
    assert bad(content) == [(1, 2)]


@pytest.mark.parametrize(
    ("encoding", "named"),
    [("utf-8", "utf-8"), ("utf-8-sig", "utf-8"), ("utf-16", "utf-16"), ("cp1252", "cp1252")],
)
def test_encodings_are_found(encoding: str, named: str) -> None:
    found = table("Fähre,Preis\nSüd,3 €\n".encode(encoding))
    assert found.encoding == named
    assert [dict(row.cells) for row in found.rows if isinstance(row, Row)] == [{"Fähre": "Süd", "Preis": "3 €"}]


def test_a_row_with_bytes_that_are_no_text_is_reported() -> None:
    content = b"a,b\n" + b"1,2\n" * 20_000 + b"\xff,3\n4,5\n"
    assert bad(content) == [(20_001, None)]
    assert good(content)[-1] == {"a": "4", "b": "5"}


def test_json_lines_without_an_object_are_reported_and_the_rest_goes_on() -> None:
    content = '{"a": 1}\n{"a": \n\n[1]\n{"a": 2}\n'
    assert good(content) == [{"a": "1"}, {"a": "2"}]
    assert bad(content) == [(2, 2), (3, 4)]


def test_array_items_that_are_no_objects_are_reported_and_the_rest_goes_on() -> None:
    content = '[{"a": 1}, 7, null, {"a": 2}]'
    assert good(content) == [{"a": "1"}, {"a": "2"}]
    assert bad(content) == [(2, None), (3, None)]


@pytest.mark.parametrize("content", ['[{"a": 1}, {"a" 2}, {"a": 3}]', '[{"a": 1}, {"a": ', '[{"a": 1}'])
def test_where_an_array_is_broken_its_reading_ends_with_a_report(content: str) -> None:
    assert good(content) == [{"a": "1"}]
    (broken,) = (row for row in rows(content) if isinstance(row, BadRow))
    assert broken.number == 2
    assert broken.reason.endswith("nothing after it could be read")


def test_values_are_kept_as_they_are_written() -> None:
    (found,) = good('{"price": 12.50, "big": 12345678901234567890, "open": true, "none": null, "text": " a\\u0000b "}')
    assert found == {"price": "12.50", "big": "12345678901234567890", "open": "true", "text": "ab"}


def test_nested_values_are_columns_by_their_paths_and_lists_are_cells() -> None:
    content = '{"a": {"b": 1, "c": {"d": "x"}}, "tags": ["x", 2], "stops": [{"name": "Pier", "zone": 1}], "none": []}'
    assert good(content) == [{"a.b": "1", "a.c.d": "x", "tags": ("x", "2"), "stops": ("name: Pier, zone: 1",)}]


def test_half_a_character_is_no_text() -> None:
    assert bad('{"a": "\\ud83d"}\n{"a": "b"}\n') == [(1, None)]


def test_what_is_nested_beyond_reason_is_reported() -> None:
    assert bad('{"a": 1}\n{"a": ' + "[" * 100_000 + "\n") == [(2, 2)]


def test_a_line_beyond_reason_is_reported_and_the_rest_goes_on() -> None:
    content = '{"a": 1}\n{"a": "' + "x" * (2 * LONGEST_ROW) + '"}\n{"a": 3}\n'
    assert good(content) == [{"a": "1"}, {"a": "3"}]
    assert bad(content) == [(2, 2)]


@pytest.mark.parametrize("content", ["", "  \n \n", "\ufeff"])
def test_an_empty_file_is_no_table(content: str) -> None:
    with pytest.raises(InvalidQuery) as caught:
        rows(content)
    assert caught.value.code == "no_table"


def test_a_file_without_a_header_is_no_table() -> None:
    with pytest.raises(InvalidQuery, match="no header"):
        rows('"never closed\n')


class Counting(io.BytesIO):
    """Counts the bytes that were asked for."""

    asked = 0

    def read(self, size: int | None = -1, /) -> bytes:
        content = super().read(size)
        self.asked += len(content)
        return content

    def read1(self, size: int | None = -1, /) -> bytes:
        content = super().read1(size)
        self.asked += len(content)
        return content


@pytest.mark.parametrize("line", ["1,2\n", '{"a": 1}\n', '{"a": 1},\n'])
def test_a_file_is_read_as_far_as_its_rows_are_taken(line: str) -> None:
    start = {"1": "a,b\n", "{": ""}[line[0]] if not line.endswith(",\n") else "["
    content = Counting((start + line * 1_000_000).encode())
    assert len(list(islice(read_table(content).rows, 1_000))) == 1_000
    assert content.asked < 300_000


RECORDS = st.lists(
    st.dictionaries(
        st.text(st.characters(exclude_categories=("Cs", "Cc")), min_size=1).filter(lambda n: n.split() == [n]),
        st.text(st.characters(exclude_categories=("Cs",)), min_size=1).map(str.strip).filter(bool),
        min_size=1,
        max_size=4,
    ),
    min_size=1,
    max_size=8,
)


@given(RECORDS, st.booleans(), st.integers(1, 50))
def test_whatever_json_holds_is_read_from_arrays_and_lines_alike(
    records: list[dict[str, str]], as_ascii: bool, window: int
) -> None:
    lines = "\n".join(json.dumps(record, ensure_ascii=as_ascii) for record in records)
    array = json.dumps(records, ensure_ascii=as_ascii, indent=1)
    before, json_lines.CHUNK = json_lines.CHUNK, window
    try:
        found = rows(array)
    finally:
        json_lines.CHUNK = before
    assert found == rows(lines)
    expected = [
        {n.translate({123: "(", 125: ")"}): v.replace("\0", "").strip() for n, v in record.items()}
        for record in records
    ]
    assert [dict(row.cells) for row in found if isinstance(row, Row)] == [
        filled for record in expected if (filled := {n: v for n, v in record.items() if v})
    ]


CELL = st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\0"), max_size=20)


@given(st.lists(st.lists(CELL, min_size=3, max_size=3), max_size=8), st.sampled_from(",;\t|"))
def test_whatever_csv_holds_is_read(records: list[list[str]], delimiter: str) -> None:
    text = io.StringIO()
    csv.writer(text, delimiter=delimiter, quoting=csv.QUOTE_ALL).writerows([["a", "b", "c"], *records])
    expected = [dict(zip("abc", (cell.strip() for cell in record), strict=True)) for record in records]
    assert good(text.getvalue()) == [
        filled for record in expected if (filled := {n: v for n, v in record.items() if v})
    ]
