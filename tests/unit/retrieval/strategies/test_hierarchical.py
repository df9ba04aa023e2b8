from __future__ import annotations

import itertools
from typing import Any

from ragstone.types import Chunk, ChunkKind, Filter, FilterOp, Query
from tests.support.builders import chunk
from tests.support.retrieving import Library, ordinals

SECTION = "The night ferry costs four tallies. Children ride free. The bell rings before it leaves the quay."
SPLIT = (35, 55)


def family(first: int, **changes: Any) -> list[Chunk]:
    """A section as a parent with three fragments."""
    cuts = (0, *SPLIT, len(SECTION))
    parent = chunk(SECTION, ordinal=first, kind=ChunkKind.PARENT, **changes)
    return [
        parent,
        *(
            chunk(SECTION[a:b].strip(), ordinal=first + n, char_from=a, parent=first, fragment=n - 1, **changes)
            for n, (a, b) in enumerate(itertools.pairwise(cuts), 1)
        ),
    ]


ALONE = chunk("The ferry office sells tickets.", ordinal=9)


def test_a_found_fragment_brings_its_section_and_keeps_its_scores() -> None:
    library = Library(*family(0), ALONE)
    (first, second) = library.retriever().retrieve(Query("night ferry", strategy="hierarchical")).passages
    (plain, *_) = library.retriever().retrieve(Query("night ferry")).passages
    assert (first.chunk.ordinal, first.chunk.text) == (0, SECTION)
    assert (first.bm25, first.cosine, first.fused_score) == (plain.bm25, plain.cosine, plain.fused_score)
    assert second.chunk == ALONE


def test_a_section_comes_once_with_all_fragments_that_were_found() -> None:
    library = Library(*family(0))
    (only,) = library.retriever().retrieve(Query("night ferry bell children", strategy="hierarchical")).passages
    assert only.chunk.text == SECTION
    assert len(only.fragments) == 3


def test_sections_fill_the_places_of_their_own_further_fragments() -> None:
    library = Library(*family(0), ALONE)
    found = library.retriever().retrieve(Query("night ferry children bell", top_k=2, strategy="hierarchical"))
    assert ordinals(found) == [0, 9]


def test_a_section_that_the_caller_may_not_read_leaves_the_fragment() -> None:
    parent, *fragments = family(0)
    library = Library(chunk(parent.text, kind=ChunkKind.PARENT, acl=("crew",)), *fragments)
    for groups, ordinal in ((), 1), (("crew",), 0):
        found = library.retriever().retrieve(Query("night ferry", groups=groups, strategy="hierarchical"))
        assert ordinals(found) == [ordinal]


def test_a_filter_that_the_section_does_not_pass_leaves_the_fragment() -> None:
    library = Library(*family(0))
    only_text = Filter("kind", FilterOp.EQ, "text")
    assert ordinals(library.retriever().retrieve(Query("night ferry", (only_text,), strategy="hierarchical"))) == [1]


def test_a_missing_section_leaves_the_fragment() -> None:
    library = Library(*family(0)[1:])
    assert ordinals(library.retriever().retrieve(Query("night ferry", strategy="hierarchical"))) == [1]
