from __future__ import annotations

import io

import pytest

from ragstone.errors import InvalidQuery
from ragstone.metadata import FieldType
from ragstone.structured.preview import Preview, preview
from ragstone.structured.proposal import Choices, plan
from ragstone.structured.reading import read_table

STOPS = """\
stop_id,name,description,zone,sheltered,lines,opened,fare
K1,Kelp Pier,Where the night ferry lies from autumn to spring and takes on coal.,A,yes,1; 2,2019-05-01,3.50
H1,Heron Yard,The trams sleep here; nobody else does.,A,no,2; 7,2020-05-01,3.50
H2,Harbour,All lines meet.,B,yes,1; 2; 7,2021-05-01,4
"""


def seen(content: str) -> Preview:
    return preview(read_table(io.BytesIO(content.encode())))


def test_a_table_s_columns_find_their_places() -> None:
    proposal = seen(STOPS).proposal
    assert (proposal.id_column, proposal.title_column) == ("stop_id", "name")
    assert proposal.template.splitlines()[0] == "{name}: {description}"
    assert proposal.metadata == ("zone", "sheltered", "lines", "opened", "fare")


def test_no_column_s_text_is_lost() -> None:
    template = seen(STOPS).proposal.template
    assert template.splitlines()[1:] == [
        "stop_id: {stop_id}",
        "zone: {zone}",
        "sheltered: {sheltered}",
        "lines: {lines}",
        "opened: {opened}",
        "fare: {fare}",
    ]


def test_a_number_that_only_counts_is_an_id_and_no_text() -> None:
    proposal = seen("id,name\n1,Kelp\n2,Heron\n").proposal
    assert (proposal.id_column, proposal.template, proposal.metadata) == ("id", "{name}", ())


def test_a_table_of_nothing_but_an_id_has_it_for_its_text() -> None:
    assert seen("id\n1\n2\n").proposal.template == "{id}"


@pytest.mark.parametrize("content", ["id,name\n1,Kelp\n1,Heron\n", "id,name\n1,Kelp\n,Heron\n"])
def test_what_does_not_tell_rows_apart_is_no_id(content: str) -> None:
    assert seen(content).proposal.id_column is None


@pytest.mark.parametrize(
    ("name", "is_id"), [("orderId", True), ("SKU", True), ("product code", True), ("video", False)]
)
def test_an_id_is_known_by_its_name(name: str, is_id: bool) -> None:
    assert (seen(f"{name},b\nx,1\ny,2\n").proposal.id_column == name) is is_id


def test_names_that_say_nothing_make_a_text_all_the_same() -> None:
    proposal = seen("alpha,beta\nx,1\ny,2\n").proposal
    assert (proposal.template, proposal.title_column) == ("alpha: {alpha}\nbeta: {beta}", None)


def test_texts_that_differ_in_every_row_are_no_metadata() -> None:
    lines = "\n".join(f"Person {n},{'Harbour' if n % 2 else 'Yard'}" for n in range(10))
    assert seen(f"member,place\n{lines}\n").proposal.metadata == ("place",)


def test_a_table_without_a_good_row_is_none() -> None:
    with pytest.raises(InvalidQuery, match="row 1, it has 1 cells"):
        seen("a,b\n1\n2\n")
    with pytest.raises(InvalidQuery, match="none below the header"):
        seen("a,b\n")


def test_a_preview_looks_at_the_first_rows_and_leaves_all_to_be_read() -> None:
    content = "a,b\n" + "".join(f"{n},x\n" for n in range(50)) + "1\n"
    found = preview(read_table(io.BytesIO(content.encode())), looked_at=10)
    assert len(found.rows) == 10
    assert found.columns[0].type is FieldType.NUMBER
    assert [row.number for row in found.rest] == list(range(1, 52))


def planned(choices: Choices) -> tuple[str | None, str | None, tuple[str, ...]]:
    found = seen(STOPS)
    made = plan(found.columns, found.proposal, choices)
    return made.id_column, made.title_column, tuple(made.metadata)


def test_what_is_chosen_wins_over_what_was_proposed() -> None:
    assert planned(Choices()) == ("stop_id", "name", ("zone", "sheltered", "lines", "opened", "fare"))
    assert planned(Choices(id_column="name", title_column="zone", metadata=("fare",))) == ("name", "zone", ("fare",))
    assert planned(Choices(id_column="", title_column="", metadata=())) == (None, None, ())


def test_metadata_have_their_columns_types() -> None:
    found = seen(STOPS)
    assert plan(found.columns, found.proposal, Choices()).metadata == {
        "zone": FieldType.STRING,
        "sheltered": FieldType.BOOLEAN,
        "lines": FieldType.LIST,
        "opened": FieldType.DATE,
        "fare": FieldType.NUMBER,
    }


@pytest.mark.parametrize(
    "choices",
    [
        Choices(template="{colour}"),
        Choices(metadata=("colour",)),
        Choices(id_column="colour"),
        Choices(title_column="colour"),
    ],
)
def test_an_unknown_column_is_refused_with_the_known_ones(choices: Choices) -> None:
    with pytest.raises(InvalidQuery, match="no column 'colour'; it has 'stop_id', 'name', 'description'") as caught:
        planned(choices)
    assert caught.value.code == "unknown_column"
