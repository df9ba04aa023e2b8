"""Fusing the two legs of a hybrid search into one order."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from ragstone.types import Hit, Legs, Passage

LOWEST = 0.001
"""What a hit is worth at least: a little more than not being found."""

RRF_CONSTANT = 60

Worths = tuple[list[float], list[float]]
Normalise = Callable[[Legs], Worths]
"""From both legs to what each of their hits is worth beside the other leg's, 0 to 1: words first, then vectors."""


def fuse(legs: Legs, *, lexical_weight: float, normalise: Normalise) -> list[Passage]:
    """Every chunk of either leg by the weighted mean of its normalised scores, a miss counting 0; ties by chunk id."""
    lexical, dense = map(_places, (legs.lexical, legs.dense), normalise(legs))
    dense_weight = 1 - lexical_weight
    passages: list[Passage] = []
    for hit in {hit.chunk.chunk_id: hit for hit in (*legs.lexical, *legs.dense)}.values():
        by_words = lexical.get(hit.chunk.chunk_id, _NOWHERE)
        by_vector = dense.get(hit.chunk.chunk_id, _NOWHERE)
        fused = lexical_weight * by_words[0] + dense_weight * by_vector[0]
        passages.append(Passage(hit.chunk, fused, by_words[1], by_vector[1], by_words[2], by_vector[2]))
    passages.sort(key=lambda passage: (-passage.fused_score, passage.chunk.chunk_id))
    return passages


def min_max(legs: Legs) -> Worths:
    """Scores stretched to 0…1: cosines from the least one found, BM25 from 0, the score of a text without the words.

    Bruch, Gai and Ingber (TOIS 2023) call 0 the theoretical minimum; the least score found says how deep the leg goes.
    """
    cosines = [hit.score for hit in legs.dense]
    return _stretched([hit.score for hit in legs.lexical], low=0.0), _stretched(cosines, low=min(cosines, default=0.0))


def reciprocal_rank(legs: Legs) -> Worths:
    """1 / (60 + rank), rank from 1, times 61: the first is worth 1. Cormack, Clarke and Büttcher, SIGIR 2009."""
    deepest = max(len(legs.lexical), len(legs.dense))
    worths = [(RRF_CONSTANT + 1) / (RRF_CONSTANT + rank) for rank in range(1, deepest + 1)]
    return worths[: len(legs.lexical)], worths[: len(legs.dense)]


FUSIONS: Mapping[str, Normalise] = {"min_max": min_max, "rrf": reciprocal_rank}


_Place = tuple[float, float | None, int | None]
"""What one leg makes of a chunk: its worth, its raw score and its rank."""

_NOWHERE: _Place = (0.0, None, None)


def _stretched(scores: Sequence[float], *, low: float) -> list[float]:
    """From LOWEST to 1; all 1 when they are equal."""
    high = max(scores, default=0.0)
    if min(scores, default=0.0) == high:
        return [1.0] * len(scores)
    return [max((score - low) / (high - low), LOWEST) for score in scores]


def _places(leg: Sequence[Hit], worths: Sequence[float]) -> dict[str, _Place]:
    return {
        hit.chunk.chunk_id: (worth, hit.score, rank)
        for rank, (hit, worth) in enumerate(zip(leg, worths, strict=True), 1)
    }
