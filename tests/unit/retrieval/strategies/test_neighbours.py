from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from ragstone.types import Chunk, Evidence, Filter, FilterOp, Query
from tests.support.builders import chunk
from tests.support.retrieving import Library, ordinals, texts

SENTENCES = (
    "The lamp is lit at dusk.",
    "The keeper climbs the stairs.",
    "The night ferry costs four tallies.",
    "The bell rings at ten.",
    "The island sleeps.",
)
DOCUMENT = " ".join(SENTENCES)


def pieces(overlap: int = 3, **changes: Any) -> list[Chunk]:
    """The document's sentences, each with the beginning of the next, in one section."""
    made: list[Chunk] = []
    for number, sentence in enumerate(SENTENCES):
        start = DOCUMENT.index(sentence)
        end = min(start + len(sentence) + overlap, len(DOCUMENT))
        made.append(chunk(DOCUMENT[start:end], ordinal=number, char_from=start, section_start=0, **changes))
    return made


def asked(library: Library, question: str = "night ferry tallies", **given: Any) -> Evidence:
    query = Query(question, top_k=1, strategy="neighbours")
    return library.retriever(**given).retrieve(replace(query))


def test_a_passage_is_the_document_s_text_around_what_was_found() -> None:
    (only,) = asked(Library(*pieces())).passages
    assert only.chunk.text == DOCUMENT[only.chunk.char_from : only.chunk.char_to]
    assert only.chunk.text.startswith(SENTENCES[1])
    assert SENTENCES[3] in only.chunk.text
    assert SENTENCES[0] not in only.chunk.text
    assert only.fragments == (pieces()[2].chunk_id,)
    assert only.bm25 is not None


def test_reach_is_how_many_there_are_each_way() -> None:
    (only,) = asked(Library(*pieces()), neighbours=2).passages
    assert only.chunk.text == DOCUMENT


def test_a_neighbour_of_another_section_stays_out_even_one_of_the_same_title() -> None:
    made = pieces()
    other = [replace(each, section_start=99) if each.ordinal in (1, 4) else each for each in made]
    (only,) = asked(Library(*other), neighbours=2).passages
    assert (only.chunk.char_from, only.chunk.char_to) == (made[2].char_from, made[3].char_to)


def test_beyond_a_missing_neighbour_nothing_is_added() -> None:
    made = pieces()
    (only,) = asked(Library(*(each for each in made if each.ordinal != 3)), neighbours=2).passages
    assert (only.chunk.char_from, only.chunk.char_to) == (0, made[2].char_to)


def test_a_neighbour_that_the_caller_may_not_read_stays_out() -> None:
    made = [replace(each, acl=("crew",)) if each.ordinal == 1 else each for each in pieces()]
    library = Library(*made)
    library.forbid(made[0].document_id)
    (only,) = asked(library).passages
    assert only.chunk.text.startswith(SENTENCES[2])


def test_filters_hold_for_neighbours() -> None:
    made = [replace(each, metadata={"draft": each.ordinal == 3}) for each in pieces()]
    query = Query("ferry tallies", (Filter("metadata.draft", FilterOp.EQ, False),), top_k=1, strategy="neighbours")
    (only,) = Library(*made).retriever().retrieve(query).passages
    assert only.chunk.char_to == made[2].char_to


def test_back_matter_is_no_neighbour() -> None:
    made = [replace(each, is_back_matter=each.ordinal == 1) for each in pieces()]
    (only,) = asked(Library(*made)).passages
    assert only.chunk.text.startswith(SENTENCES[2])


def test_neighbours_with_text_between_them_are_passages_of_their_own() -> None:
    made = [replace(each, text=each.text[:-4], char_to=each.char_to - 4) for each in pieces(overlap=4)[:-1]]
    found = asked(Library(*made))
    assert ordinals(found) == [2, 1, 3]
    assert [passage.fragments for passage in found.passages] == [(made[2].chunk_id,), (), ()]
    assert [passage.bm25 is None for passage in found.passages] == [False, True, True]


@pytest.mark.parametrize("question", ["ferry tallies bell", "lamp dusk island sleeps"])
def test_no_text_comes_twice(question: str) -> None:
    found = Library(*pieces()).retriever().retrieve(Query(question, top_k=3, strategy="neighbours"))
    for sentence in SENTENCES:
        assert sum(sentence in text for text in texts(found)) <= 1
