from __future__ import annotations

import itertools
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from ragstone.retrieval.duplicates import adds_nothing, pieces
from ragstone.retrieval.selection import Selection
from ragstone.types import Passage
from tests.support.builders import passage

FERRY = (
    "The night ferry leaves the old quay every evening at ten and reaches the far island at six in the morning, "
    "when the harbour office opens and the first bus waits for its passengers at the gate beside the lighthouse."
)
EVERYBODY = Selection()


def found(*texts: str, **changes: Any) -> list[Passage]:
    return [passage(text, document_id=f"d{n}", source=f"{n}.md", **changes) for n, text in enumerate(texts)]


def chosen(selection: Selection, passages: list[Passage], limit: int) -> list[str]:
    return [each.chunk.source for each in selection.best(passages, limit).passages]


def test_the_best_of_near_duplicates_stands_for_the_others() -> None:
    selected = EVERYBODY.best(found(FERRY, FERRY.replace("evening", "night"), "Another text.", FERRY), 5)
    assert [each.chunk.source for each in selected.passages] == ["0.md", "2.md"]
    assert selected.collapsed == 2
    assert selected.passages[0].also_in == ("1.md", "3.md")


def test_a_number_or_a_name_makes_a_difference() -> None:
    texts = (f"{FERRY} It cost 4 tallies in 2023.", f"{FERRY} It cost 5 tallies in 2024.", f"{FERRY} Ask for Marta.")
    assert chosen(EVERYBODY, found(*texts), 5) == ["0.md", "1.md", "2.md"]


def test_a_name_alone_in_the_better_text_hides_nothing() -> None:
    assert adds_nothing(pieces(FERRY), pieces(f"{FERRY} Ask Marta."))
    assert not adds_nothing(pieces(f"{FERRY} Ask Marta."), pieces(FERRY))


def test_texts_without_spaces_are_compared_by_their_signs() -> None:
    text = "夜間渡輪每天晚上十點從舊碼頭出發，早上六點到達遠方的島嶼，港務局在那時開門。"
    assert chosen(EVERYBODY, found(text, text, text.replace("六", "七")), 5) == ["0.md", "2.md"]


def test_titles_keep_equal_texts_apart() -> None:
    one, other = passage(FERRY, title="Ferry A", source="a"), passage(FERRY, title="Ferry B", source="b", ordinal=1)
    assert chosen(EVERYBODY, [one, other], 5) == ["a", "b"]


def test_duplicates_stay_where_they_are_to_stay() -> None:
    assert chosen(Selection(collapse=False), found(FERRY, FERRY), 5) == ["0.md", "1.md"]


def test_a_document_gives_no_more_than_its_share() -> None:
    own = [passage(f"text number {n}", ordinal=n, source=str(n)) for n in range(4)]
    others = found("something else")
    assert chosen(Selection(per_document=2), [*own, *others], 5) == ["0", "1", "0.md"]


@given(
    st.lists(st.sampled_from([FERRY, f"{FERRY} 1", "a", "b c", "夜間渡輪每天晚上十點"]), max_size=8), st.integers(0, 3)
)
def test_a_longer_list_begins_with_the_shorter_one(texts: list[str], per_document: int) -> None:
    selection = Selection(per_document=per_document)
    passages = [passage(text, ordinal=n, document_id=f"d{n % 3}", source=str(n)) for n, text in enumerate(texts)]
    lists = [chosen(selection, passages, limit) for limit in range(len(passages) + 1)]
    assert all(longer[: len(shorter)] == shorter for shorter, longer in itertools.pairwise(lists))
