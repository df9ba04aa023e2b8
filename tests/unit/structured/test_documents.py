from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ragstone.metadata import FieldType
from ragstone.parsing.cleaning import clean
from ragstone.parsing.markdown import parse_markdown
from ragstone.structured.documents import RowDocument, row_document
from ragstone.structured.proposal import Plan
from ragstone.structured.rows import BadRow, Cell, Row
from ragstone.structured.template import Template

COLUMNS = ("id", "name", "text", "fare", "tags")


def plan(template: str = "{name}: {text}", **more: Any) -> Plan:
    return Plan(Template.parse(template, COLUMNS), **{"metadata": {}, **more})


def made(cells: dict[str, Cell], given: Plan) -> RowDocument:
    found = row_document(Row(7, cells), given, "stops")
    assert isinstance(found, RowDocument)
    return found


def reason(cells: dict[str, Cell], given: Plan) -> str:
    found = row_document(Row(7, cells), given, "stops")
    assert isinstance(found, BadRow)
    assert found.number == 7
    return found.reason


def test_a_row_without_an_id_column_is_called_by_its_number() -> None:
    assert made({"name": "Kelp"}, plan()).source == "stops/7.md"


@pytest.mark.parametrize(
    ("id_", "name"),
    [
        ("K1", "K1"),
        ("Süd 1 (alt)", "Süd 1 (alt)"),
        ("a/b", "a%2Fb"),
        ("..", ".."),
        ("../x", "..%2Fx"),
        ("a?b#c", "a%3Fb%23c"),
        ("two\nlines", "two lines"),
    ],
)
def test_a_row_is_called_by_its_id_and_stays_in_its_folder(id_: str, name: str) -> None:
    assert made({"id": id_, "name": "x"}, plan(id_column="id")).source == f"stops/{name}.md"


def test_the_text_is_the_template_s_and_lines_stay_lines() -> None:
    document = made({"name": "Kelp", "text": "one\ntwo\n\nthree", "fare": "3"}, plan("{name}: {text}\nfare: {fare}"))
    assert parse_markdown(document.text.encode(), source="x.md").text == "Kelp: one\ntwo\n\nthree\nfare: 3"


def test_the_sidecar_carries_title_metadata_and_access_list() -> None:
    types = {"fare": FieldType.NUMBER, "tags": FieldType.LIST, "text": FieldType.STRING}
    given = plan(metadata=types, title_column="name", acl=("crew", "board"))
    document = made({"name": "Kelp\nPier", "fare": "3.50", "tags": "a; b"}, given)
    assert json.loads(document.sidecar) == {
        "title": "Kelp Pier",
        "metadata": {"fare": 3.5, "tags": ["a", "b"]},
        "acl": ["crew", "board"],
    }
    assert document.misfits == ()


def test_without_title_and_access_list_the_sidecar_has_none() -> None:
    assert json.loads(made({"name": "Kelp"}, plan()).sidecar) == {}


def test_a_value_that_is_not_of_its_column_s_type_is_no_metadata() -> None:
    document = made({"name": "Kelp", "fare": "free"}, plan("{name} {fare}", metadata={"fare": FieldType.NUMBER}))
    assert (json.loads(document.sidecar), document.misfits) == ({}, ("fare",))
    assert "free" in document.text


def test_rows_that_can_t_be_documents_say_why() -> None:
    assert reason({"name": "Kelp"}, plan(id_column="id")) == "it has no value in its id column 'id'"
    assert reason({"fare": "3"}, plan()) == "it has no value in any column of the template"
    assert reason({"id": "x" * 1_000, "name": "x"}, plan(id_column="id")).endswith("more than 1000 bytes; shorten it")


MARKS = "\\`*_[]<>#~|!&-+=1.): \nab\t"


@given(st.text(st.sampled_from(MARKS), max_size=40))
@example("# no heading")
@example("- no item\n1. none\n10) none")
@example("a\n---\nb")
@example("a | b\n--|--\nc | d")
@example("<b>no tag</b> <!-- no comment -->")
@example("&amp; *no* __emphasis__ `no code` ~~none~~")
@example("[no](link) ![no](image) [^1] [a]: b")
@example("    no code\n\n```\nno code")
@example("---\ntitle: none\n---")
def test_a_reader_of_the_document_sees_the_value_as_it_is(value: str) -> None:
    shown = "\n".join(" ".join(line.split()) for line in value.splitlines()).strip()
    paragraphs = [p.strip("\n") for p in shown.split("\n\n") if p.strip()]
    if not paragraphs:
        return
    document = made({"text": value}, plan("{text}"))
    found = parse_markdown(document.text.encode(), source="x.md").text
    assert _squeezed(found) == _squeezed(clean("\n\n".join(paragraphs)))


def _squeezed(text: str) -> list[str]:
    return [" ".join(line.split()) for line in text.splitlines() if line.strip()]
