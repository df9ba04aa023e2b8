from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragstone.retrieval.fusion import fuse, min_max, reciprocal_rank
from ragstone.types import Hit, Legs, Passage
from tests.support.builders import chunk


def hit(ordinal: int, score: float) -> Hit:
    return Hit(chunk(f"text {ordinal}", ordinal=ordinal), score)


LEGS = Legs(
    lexical=(hit(1, 0.8167638), hit(2, 0.5356597)),
    dense=(hit(2, 1.0), hit(3, 0.98039216), hit(4, 0.7575758)),
)
"""OpenSearch's documented example of its own fusion, which takes the least BM25 score of the leg for 0."""


def scores(passages: list[Passage]) -> dict[int, float]:
    return {passage.chunk.ordinal: passage.fused_score for passage in passages}


def test_cosines_are_stretched_from_the_least_as_opensearch_does_and_bm25_from_0() -> None:
    fused = fuse(LEGS, lexical_weight=0.5, normalise=min_max)
    assert [passage.chunk.ordinal for passage in fused] == [2, 1, 3, 4]
    by_words = 0.5356597 / 0.8167638
    assert scores(fused) == pytest.approx({2: 0.5 + by_words / 2, 1: 0.5, 3: 0.4595588, 4: 0.0005}, abs=1e-6)


def test_how_deep_the_lexical_leg_goes_changes_no_score() -> None:
    deeper = Legs((*LEGS.lexical, hit(9, 0.01)), LEGS.dense)
    one, other = (scores(fuse(legs, lexical_weight=0.5, normalise=min_max)) for legs in (LEGS, deeper))
    assert {ordinal: other[ordinal] for ordinal in one} == one


def test_reciprocal_ranks_add_up() -> None:
    fused = scores(fuse(LEGS, lexical_weight=0.5, normalise=reciprocal_rank))
    assert fused[2] == pytest.approx(61 * (0.5 / 62 + 0.5 / 61))
    assert max(fused, key=lambda ordinal: fused[ordinal]) == 2


def test_weights_count_in_rank_fusion_too() -> None:
    assert scores(fuse(LEGS, lexical_weight=0.9, normalise=reciprocal_rank))[1] == pytest.approx(0.9)


def test_raw_scores_and_ranks_are_kept() -> None:
    first = fuse(LEGS, lexical_weight=0.5, normalise=min_max)[0]
    assert (first.bm25, first.cosine, first.lexical_rank, first.dense_rank) == (0.5356597, 1.0, 2, 1)
    last = fuse(LEGS, lexical_weight=0.5, normalise=min_max)[-1]
    assert (last.bm25, last.lexical_rank) == (None, None)


def test_ties_break_by_chunk_id() -> None:
    legs = Legs((hit(9, 1.0), hit(3, 1.0), hit(7, 1.0)), ())
    assert [p.chunk.ordinal for p in fuse(legs, lexical_weight=1.0, normalise=min_max)] == [3, 7, 9]


@given(st.lists(st.floats(0.01, 100), max_size=8), st.lists(st.floats(-1, 1), max_size=8), st.floats(0, 1))
def test_fused_scores_lie_between_0_and_1_in_falling_order(
    lexical: list[float], dense: list[float], weight: float
) -> None:
    legs = Legs(
        tuple(hit(n, score) for n, score in enumerate(sorted(lexical, reverse=True))),
        tuple(hit(n + 4, score) for n, score in enumerate(sorted(dense, reverse=True))),
    )
    fused = [passage.fused_score for passage in fuse(legs, lexical_weight=weight, normalise=min_max)]
    assert fused == sorted(fused, reverse=True)
    assert all(0 <= score <= 1 + 1e-9 for score in fused)
