"""ragas' own metrics that need no judge."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ragstone.errors import TransientError
from ragstone.evaluation.gold import GoldItem
from ragstone.evaluation.metrics import build_metrics
from ragstone.evaluation.ragas_adapter import Ragas
from ragstone.evaluation.scores import Score, ScoreStatus
from ragstone.types import Sentence
from tests.support.evaluations import ANSWER, QUESTION, REFUSED, UNANSWERABLE, case
from tests.support.fake_embedder import FakeEmbedder

TEXT_METRICS = ("rouge_l", "semantic_similarity", "string_similarity")


async def compare(metric: str, answer: str, reference: str, embedder: FakeEmbedder | None = None) -> Score:
    metrics = build_metrics([metric], Ragas(judge=None, embedder=embedder or FakeEmbedder()))
    given = replace(ANSWER, sentences=(Sentence(answer, ()),))
    return await metrics[metric].score(case(replace(QUESTION, reference=reference), given))


async def test_rouge_l_of_a_hand_worked_example() -> None:
    """The longest common subsequence of 6 and 5 words is "the cat on the mat": 5, so P = 5/6, R = 1, F = 10/11."""
    scored = await compare("rouge_l", "the cat sat on the mat", "the cat on the mat")
    assert scored.value == pytest.approx(10 / 11, abs=1e-6)


async def test_string_similarity_of_a_hand_worked_example() -> None:
    """`kitten` to `sitting` takes 3 edits of 7 letters."""
    assert (await compare("string_similarity", "kitten", "sitting")).value == pytest.approx(4 / 7, abs=1e-6)


async def test_semantic_similarity_is_the_cosine() -> None:
    """Two of three words in common, each a dimension of its own: 2 / (√3 · √3)."""
    scored = await compare("semantic_similarity", "ferry costs four", "ferry costs five", FakeEmbedder(4096))
    assert scored.value == pytest.approx(2 / 3, abs=1e-6)


async def test_texts_are_embedded_in_one_call() -> None:
    embedder = FakeEmbedder()
    await compare("semantic_similarity", "an answer", "a reference", embedder)
    assert embedder.asked == ["a reference", "an answer"]


@pytest.mark.parametrize("metric", TEXT_METRICS)
async def test_the_same_text_is_a_perfect_match(metric: str) -> None:
    assert (await compare(metric, "The ferry costs 4 euros.", "The ferry costs 4 euros.")).value == 1.0


async def test_opposite_vectors_are_no_likeness() -> None:
    class Opposites(FakeEmbedder):
        def embed_query(self, text: str) -> list[float]:
            return [1.0] if text == "yes" else [-1.0]

    assert (await compare("semantic_similarity", "yes", "no", Opposites())).value == 0.0


async def test_an_embedder_that_is_down_is_tried_again_later() -> None:
    with pytest.raises(TransientError):
        await compare("semantic_similarity", "a", "b", FakeEmbedder(failures=[TransientError("down")]))


@pytest.mark.parametrize("metric", TEXT_METRICS)
async def test_what_can_not_be_compared_is_skipped(metric: str) -> None:
    [measure] = build_metrics([metric], Ragas(judge=None, embedder=FakeEmbedder())).values()
    asked = [case(answer=REFUSED), case(UNANSWERABLE), case(GoldItem("x", "Why?"))]
    assert [(await measure.score(each)).status for each in asked] == [ScoreStatus.SKIPPED] * 3
