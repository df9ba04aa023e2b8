from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ragstone.retrieval.stitching import joined, runs
from ragstone.types import Chunk, Page
from tests.support.builders import chunk

DOCUMENT = "The night ferry leaves the old quay at ten and reaches the island at six in the morning."
PAGES = (Page(1, 0, 30), Page(2, 30, 30), Page(3, 30, 60), Page(4, 60, len(DOCUMENT)))


def page_of(position: int) -> int:
    return max(page.number for page in PAGES if page.start <= position)


def part(start: int, end: int, ordinal: int = 0) -> Chunk:
    return chunk(
        DOCUMENT[start:end],
        char_from=start,
        ordinal=ordinal,
        page_from=page_of(start),
        page_to=page_of(end - 1),
        page_breaks=tuple(page.start for page in PAGES if start < page.start < end),
    )


def test_chunks_that_overlap_or_touch_are_one_run_and_a_gap_begins_another() -> None:
    made = [part(0, 20), part(10, 40, 1), part(40, 60, 2), part(61, 80, 3)]
    assert [[each.ordinal for each in run] for run in runs(reversed(made))] == [[0, 1, 2], [3]]


def test_a_run_is_found_under_the_id_of_the_chunk_that_was_found() -> None:
    made = [part(0, 20), part(15, 40, 1)]
    assert joined(made, made[1]).chunk_id == made[1].chunk_id


@given(
    st.lists(
        st.tuples(st.integers(0, len(DOCUMENT) - 1), st.integers(1, 40)).map(
            lambda given: (given[0], min(sum(given), len(DOCUMENT)))
        ),
        min_size=1,
        max_size=6,
    )
)
def test_a_run_has_the_document_s_text_and_pages(spans: list[tuple[int, int]]) -> None:
    made = [part(start, end, ordinal) for ordinal, (start, end) in enumerate(sorted(spans))]
    for run in runs(made):
        whole = joined(run, run[0])
        assert whole.text == DOCUMENT[whole.char_from : whole.char_to]
        assert (whole.page_from, whole.page_to) == (page_of(whole.char_from), page_of(whole.char_to - 1))
        for position in range(whole.char_from, whole.char_to):
            assert whole.pages_of(position, position + 1) == (page_of(position), page_of(position))
