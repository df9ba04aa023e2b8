"""Retrieval metrics against values worked out by hand."""

from __future__ import annotations

from collections.abc import Callable
from math import log2

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragstone.evaluation.gold import GoldItem
from ragstone.evaluation.metrics import build_metrics
from ragstone.evaluation.metrics.hit import hit_at_k
from ragstone.evaluation.metrics.mrr import reciprocal_rank
from ragstone.evaluation.metrics.ndcg import ndcg_at_k
from ragstone.evaluation.metrics.recall import recall_at_k
from ragstone.evaluation.ragas_adapter import Ragas
from ragstone.evaluation.relevance import Ranking
from ragstone.evaluation.scores import Score
from tests.support.evaluations import ANSWER, QUESTION, REFUSED, UNANSWERABLE, case
from tests.support.fake_embedder import FakeEmbedder

NAMES = ("hit@2", "recall@2", "mrr", "ndcg@2")


def ranking(gold: int, *passages: set[int]) -> Ranking:
    return Ranking(tuple(frozenset(entries) for entries in passages), gold)


@pytest.mark.parametrize(
    ("k", "recall", "hit"),
    [(1, 0.0, 0.0), (2, 1 / 3, 1.0), (3, 1 / 3, 1.0), (4, 2 / 3, 1.0), (9, 2 / 3, 1.0)],
)
def test_recall_counts_entries_and_hit_any_of_them(k: int, recall: float, hit: float) -> None:
    three = ranking(3, set(), {0}, {0}, {1})
    assert recall_at_k(three, k) == pytest.approx(recall)
    assert hit_at_k(three, k) == hit


def test_one_passage_can_satisfy_all_entries() -> None:
    assert recall_at_k(ranking(2, {0, 1}), 1) == 1.0


@pytest.mark.parametrize(
    ("passages", "expected"), [([{0}], 1.0), ([set(), {0}], 1 / 2), ([set(), set(), {0}, {1}], 1 / 3), ([set()], 0.0)]
)
def test_the_reciprocal_rank_is_that_of_the_first_relevant_passage(passages: list[set[int]], expected: float) -> None:
    assert reciprocal_rank(ranking(2, *passages), 0) == pytest.approx(expected)


def test_ndcg_of_two_entries_at_ranks_two_and_four() -> None:
    dcg = 1 / log2(3) + 1 / log2(5)
    ideal = 1 / log2(2) + 1 / log2(3)
    found = ranking(2, set(), {0}, set(), {1})
    assert ndcg_at_k(found, 5) == pytest.approx(dcg / ideal)
    assert ndcg_at_k(found, 5) == pytest.approx(0.6509, abs=1e-4)


def test_ndcg_counts_only_the_first_k_passages() -> None:
    assert ndcg_at_k(ranking(2, set(), {0}, set(), {1}), 2) == pytest.approx((1 / log2(3)) / (1 + 1 / log2(3)))
    assert ndcg_at_k(ranking(3, {0}, {1}, {2}), 2) == 1.0


def test_ndcg_counts_overlapping_passages_once() -> None:
    assert ndcg_at_k(ranking(1, {0}, {0}, {0}), 3) == 1.0
    assert ndcg_at_k(ranking(2, {0}, {0}, {1}), 3) == pytest.approx((1 + 1 / log2(4)) / (1 + 1 / log2(3)))


def test_ndcg_of_entries_in_one_passage_is_perfect_at_rank_one() -> None:
    assert ndcg_at_k(ranking(2, {0, 1}), 5) == 1.0


def test_ndcg_of_entries_that_are_never_found_is_lower() -> None:
    assert ndcg_at_k(ranking(2, {0}), 5) == pytest.approx(1 / (1 + 1 / log2(3)))
    assert ndcg_at_k(ranking(2), 5) == 0.0


@given(
    passages=st.lists(st.sets(st.integers(0, 3)), max_size=8),
    k=st.integers(1, 10),
    formula=st.sampled_from([recall_at_k, hit_at_k, reciprocal_rank, ndcg_at_k]),
)
def test_every_value_lies_between_0_and_1(
    passages: list[set[int]], k: int, formula: Callable[[Ranking, int], float]
) -> None:
    value = formula(ranking(4, *passages), k)
    assert 0.0 <= value <= 1.0
    assert (value > 0) == any(passages[: None if formula is reciprocal_rank else k])


@given(passages=st.lists(st.sets(st.integers(0, 3)), max_size=8), k=st.integers(1, 8))
def test_a_better_order_has_no_lower_ndcg(passages: list[set[int]], k: int) -> None:
    for n, entries in enumerate(passages):
        if not entries:
            without_gap = [*passages[:n], *passages[n + 1 :]]
            assert ndcg_at_k(ranking(4, *without_gap), k) >= ndcg_at_k(ranking(4, *passages), k) - 1e-12


async def scores_of(item: GoldItem, answer: object = ANSWER) -> list[Score]:
    assert answer in (ANSWER, REFUSED)
    metrics = build_metrics(NAMES, Ragas(judge=None, embedder=FakeEmbedder()))
    return [await metric.score(case(item, REFUSED if answer is REFUSED else ANSWER)) for metric in metrics.values()]


async def test_a_found_answer_scores() -> None:
    assert await scores_of(QUESTION) == [Score.of(1.0)] * 4


async def test_a_refusal_is_scored_by_what_was_retrieved() -> None:
    assert await scores_of(QUESTION, REFUSED) == [Score.of(0.0)] * 4


async def test_an_unanswerable_question_is_skipped() -> None:
    assert await scores_of(UNANSWERABLE) == [Score.skipped("the question is unanswerable")] * 4


async def test_a_question_without_gold_is_skipped() -> None:
    assert await scores_of(GoldItem("x", "Why?")) == [Score.skipped("the item names no gold")] * 4


def test_metrics_are_built_by_their_full_names() -> None:
    assert tuple(build_metrics(NAMES, Ragas(judge=None, embedder=FakeEmbedder()))) == NAMES
