from __future__ import annotations

from dataclasses import replace
from typing import Any

from ragstone.types import Chunk, Filter, FilterOp, Query
from tests.support.builders import chunk
from tests.support.retrieving import Library, texts

QUESTION = "Where was the builder of the Night Ferry born?"
SHIP = "The Night Ferry was built by Marta Lindqvist for the harbour."
BUILDER = "Marta Lindqvist came into the world in Osterby, a village of Norrland."
VILLAGE = "Osterby has an old mill."
NOISE = tuple(f"Where the builder was born in year {n} nobody knows, and the night is long." for n in range(20))


def documents(*contents: str, **changes: Any) -> list[Chunk]:
    return [
        chunk(text, document_id=f"d{n}", source=f"{n}.md", language="en", **changes) for n, text in enumerate(contents)
    ]


LIBRARY = Library(*documents(SHIP, BUILDER, *NOISE, VILLAGE))


def test_a_hop_finds_what_the_question_does_not_name() -> None:
    asked = Query(QUESTION, top_k=3)
    assert BUILDER not in texts(LIBRARY.retriever(candidate_depth=10).retrieve(asked))
    found = LIBRARY.retriever(candidate_depth=10).retrieve(replace(asked, strategy="graph"))
    assert {SHIP, BUILDER} <= set(texts(found))
    (step,) = found.steps
    assert step.purpose == "entities"
    assert "marta lindqvist" in step.query.split(", ")
    assert "night ferry" not in step.query


def test_hops_are_as_many_as_the_settings_say() -> None:
    asked = Query("Who built the Night Ferry?", top_k=3, strategy="graph")
    one, two = (LIBRARY.retriever(graph_hops=hops).retrieve(asked) for hops in (1, 2))
    assert (len(one.steps), len(two.steps)) == (1, 2)
    assert "osterby" in two.steps[1].query.split(", ")


def test_nothing_new_named_ends_the_walk() -> None:
    library = Library(*documents("the night ferry leaves at ten", "the bell rings"))
    assert library.retriever(graph_hops=3).retrieve(Query("night ferry", strategy="graph")).steps == ()


def test_a_hop_finds_nothing_that_the_caller_may_not_read() -> None:
    ship, builder, *others = documents(SHIP, BUILDER, *NOISE)
    library = Library(ship, replace(builder, acl=("crew",)), *others)
    for groups, may in ((), False), (("crew",), True):
        found = library.retriever().retrieve(Query(QUESTION, top_k=9, groups=groups, strategy="graph"))
        assert (BUILDER in [passage.chunk.text for passage in found.pool]) == may


def test_what_the_registry_forbids_is_neither_found_nor_followed() -> None:
    library = Library(*documents(SHIP, BUILDER, *NOISE, VILLAGE))
    library.forbid("d1", "crew")
    found = library.retriever(graph_hops=3).retrieve(Query(QUESTION, top_k=9, strategy="graph"))
    assert BUILDER not in texts(found)
    assert "osterby" not in " ".join(step.query for step in found.steps)


def test_filters_hold_at_every_hop() -> None:
    elsewhere = Filter("source", FilterOp.NE, "1.md")
    found = LIBRARY.retriever(graph_hops=3).retrieve(Query(QUESTION, (elsewhere,), top_k=9, strategy="graph"))
    assert BUILDER not in [passage.chunk.text for passage in found.pool]
