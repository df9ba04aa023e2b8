"""Strategies that read or search again go no further on any index than the filters and the access lists let them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from ragstone.ports import ChunkIndex, ChunkReader
from ragstone.types import Chunk, ChunkKind, Filter, FilterOp, Query
from tests.support.fake_embedder import FakeEmbedder
from tests.support.index_suite import DIMENSIONS
from tests.support.retrieving import Library, texts

SENTENCES = ("The keeper climbs the stairs.", "The night ferry costs four tallies.", "The bell rings at ten.")
SECTION = " ".join(SENTENCES)
SHIP = "The Night Ferry was built by Marta Lindqvist for the harbour."
BUILDER = "Marta Lindqvist came into the world in Osterby."
NOISE = tuple(f"Where the builder was born in year {n} nobody knows, and the night is long." for n in range(12))


def chunk(text: str, ordinal: int = 0, document: str = "d1", **changes: Any) -> Chunk:
    start = changes.pop("start", 0)
    made = Chunk(document, "v1", ordinal, f"{document}.md", text, start, start + len(text), language="en")
    return replace(made, **changes)


def family() -> list[Chunk]:
    """A section as a parent with a fragment for each sentence, which has the first letters of the next."""
    parent = chunk(SECTION, kind=ChunkKind.PARENT, section_start=0)
    starts = [SECTION.index(sentence) for sentence in SENTENCES]
    pieces = [SECTION[start : start + len(words) + 4] for start, words in zip(starts, SENTENCES, strict=True)]
    return [
        parent,
        *(
            chunk(text, number, start=start, parent=0, fragment=number - 1, section_start=0)
            for number, (start, text) in enumerate(zip(starts, pieces, strict=True), 1)
        ),
    ]


@pytest.fixture
def library(index: ChunkIndex, reader: ChunkReader) -> Library:
    return Library(index=index, reader=reader, embedder=FakeEmbedder(DIMENSIONS))


def found(library: Library, question: str, strategy: str, **given: Any) -> list[str]:
    return texts(library.retriever().retrieve(Query(question, top_k=1, strategy=strategy, **given)))


def test_a_section_is_given_to_those_who_may_read_it(library: Library) -> None:
    parent, *fragments = family()
    library.add(replace(parent, acl=("crew",)), *fragments)
    asked = "night ferry tallies"
    assert found(library, asked, "hierarchical", groups=("crew",)) == [SECTION]
    assert found(library, asked, "hierarchical") == [fragments[1].text]
    only_text = Filter("kind", FilterOp.EQ, "text")
    assert found(library, asked, "hierarchical", groups=("crew",), filters=(only_text,)) == [fragments[1].text]


def test_neighbours_are_those_that_the_caller_may_read(library: Library) -> None:
    parent, before, middle, after = family()
    library.add(parent, middle, replace(after, metadata={"draft": True}), replace(before, acl=("crew",)))
    library.forbid("d1")
    asked = "night ferry tallies"
    assert found(library, asked, "neighbours", groups=("crew",)) == [SECTION]
    assert found(library, asked, "neighbours") == [SECTION[middle.char_from :]]
    no_drafts = Filter("metadata.draft", FilterOp.NE, True)
    assert found(library, asked, "neighbours", filters=(no_drafts,)) == [middle.text]


def test_the_graph_is_walked_as_far_as_the_caller_may_read(library: Library) -> None:
    library.add(chunk(SHIP), chunk(BUILDER, document="d2", acl=("crew",)))
    library.add(*(chunk(text, document=f"n{number}") for number, text in enumerate(NOISE)))
    query = Query("Where was the builder of the Night Ferry born?", top_k=3, strategy="graph")
    for groups, may in ((), False), (("crew",), True):
        assert (BUILDER in texts(library.retriever().retrieve(replace(query, groups=groups)))) == may
    elsewhere = Filter("source", FilterOp.NE, "d2.md")
    seen = library.retriever().retrieve(replace(query, groups=("crew",), filters=(elsewhere,)))
    assert BUILDER not in [passage.chunk.text for passage in seen.pool]
    library.forbid("d2", "board")
    seen = library.retriever().retrieve(replace(query, groups=("crew",)))
    assert BUILDER not in [passage.chunk.text for passage in seen.pool]


def test_a_duplicate_that_the_caller_may_not_read_hides_nothing(library: Library) -> None:
    library.add(chunk(SHIP, document="a", acl=("crew",)), chunk(SHIP, document="b"))
    query = Query("night ferry")
    seen = library.retriever().retrieve(query)
    assert [(passage.chunk.document_id, passage.also_in) for passage in seen.passages] == [("b", ())]
    seen = library.retriever().retrieve(replace(query, groups=("crew",)))
    assert [(passage.chunk.document_id, passage.also_in) for passage in seen.passages] == [("a", ("b.md",))]
