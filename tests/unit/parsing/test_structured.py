from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragstone.errors import Rejected
from ragstone.parsing.structured import parse_json, parse_json_lines
from tests.unit.parsing.reading import blocks


def text_of(value: object) -> str:
    return parse_json(json.dumps(value, ensure_ascii=False).encode(), source="x.json").text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ({}, ""),
        ("just text", "just text"),
        ({"port": "Bergen", "open": True, "note": None, "blank": " "}, "port: Bergen\nopen: true"),
        ({"a": {"b": {"c": 1}}, "tags": ["x", "y"]}, "a.b.c: 1\ntags: x, y"),
        (["alpha", 7, None, True, "omega"], "alpha\n7\ntrue\nomega"),
        ([{"id": 1, "name": "Ada"}, {"id": 2}], "id: 1 | name: Ada\nid: 2"),
        ([{"photos": [{"uri": "x.jpg"}, {"uri": "y.jpg"}]}], "photos[0].uri: x.jpg | photos[1].uri: y.jpg"),
        (
            {"register": "Fleet", "ships": [{"name": "Curlew"}, {"name": "Eider"}], "as_of": "2026"},
            "register: Fleet\n\nships:\nname: Curlew\nname: Eider\n\nas_of: 2026",
        ),
        ({"text": "one\ntwo"}, "text: one\ntwo"),
        ([{"title": "A", "body": "one\ntwo"}, {"title": "B"}], "title: A\nbody: one\ntwo\n\ntitle: B"),
        ({"a": "speci\x00c"}, "a: specic"),
    ],
)
def test_values_are_lines_under_their_paths(value: object, text: str) -> None:
    assert text_of(value) == text


def test_records_are_tables_under_their_path() -> None:
    content = b'{"register": "Fleet", "ships": [{"name": "Curlew"}, {"name": "Eider"}, {"log": "one\\ntwo"}]}'
    assert blocks(parse_json(content, source="x.json")) == [
        ("paragraph", "register: Fleet"),
        ("caption", "ships:"),
        ("table", "name: Curlew\nname: Eider"),
        ("paragraph", "log: one\ntwo"),
    ]


def test_numbers_are_shown_as_they_are_written() -> None:
    content = b'\xef\xbb\xbf{"price": 12.50, "big": ' + b"9" * 5_000 + b', "odd": NaN}'
    assert parse_json(content, source="x.json").text == f"price: 12.50\nbig: {'9' * 5_000}\nodd: NaN"


def test_invalid_json_says_where() -> None:
    with pytest.raises(Rejected, match="line 2, column 6") as rejected:
        parse_json(b'{"a": 1,\n "b":: 2}', source="x.json")
    assert rejected.value.code == "damaged"


@pytest.mark.parametrize("depth", [150, 100_000])
def test_deep_nesting_is_rejected_not_a_crash(depth: int) -> None:
    with pytest.raises(Rejected) as rejected:
        parse_json(b"[" * depth + b"]" * depth, source="x.json")
    assert rejected.value.code == "too_large"


def test_json_lines_under_a_json_name_are_read() -> None:
    assert parse_json(b'{"a": 1}\n{"a": 2}\n', source="x.json").text == "a: 1\na: 2"


def test_bad_lines_are_named_and_the_others_read() -> None:
    content = b'\xef\xbb\xbf{"text": "one"}\r\n\r\n{"text": oops}\r\n' + b"[" * 100_000 + b'\n{"text": "five"}'
    document = parse_json_lines(content, source="x.jsonl")
    assert document.text == "text: one\ntext: five"
    assert document.warnings == ("What is not valid JSON was left out: lines 3 to 4.",)


def test_only_a_newline_ends_a_record() -> None:
    content = '{"text": "before\u2028after"}\n{"text": "second"}'.encode()
    assert parse_json_lines(content, source="x.jsonl").text == "text: before\nafter\n\ntext: second"


def test_a_file_without_one_good_line_is_damaged() -> None:
    with pytest.raises(Rejected) as rejected:
        parse_json_lines(b"not json\nneither\n", source="x.jsonl")
    assert rejected.value.code == "damaged"


def test_empty_files_are_empty_texts() -> None:
    assert parse_json(b" \n", source="x.json").text == ""
    assert parse_json_lines(b"\n\n", source="x.jsonl").text == ""


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text("ab\nü"),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text("kx.", max_size=3), inner, max_size=4),
)


@given(VALUES)
def test_no_word_is_lost(value: object) -> None:
    words = set(_words(value))
    assert words <= set(text_of(value).replace(",", " ").split())


def _words(value: object) -> list[str]:
    if isinstance(value, dict):
        return [word for item in value.values() for word in _words(item)]
    if isinstance(value, list):
        return [word for item in value for word in _words(item)]
    return str(value).split() if isinstance(value, str) else []
