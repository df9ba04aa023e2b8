"""Fusing the two legs of a hybrid search into one order."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from ragstone.types import Hit, Legs, Passage

LOWEST = 0.001
"""What the last hit of a leg is worth: a little more than not being found."""

RRF_CONSTANT = 60


def fuse(
    legs: Legs, *, lexical_weight: float, normalise: Callable[[Sequence[Hit]], Mapping[str, float]]
) -> list[Passage]:
    """Every chunk of either leg by the weighted mean of its normalised scores, a miss counting 0; ties by chunk id."""
    lexical, dense = normalise(legs.lexical), normalise(legs.dense)
    ranks = [{hit.chunk.chunk_id: rank for rank, hit in enumerate(leg, 1)} for leg in (legs.lexical, legs.dense)]
    raw = [{hit.chunk.chunk_id: hit.score for hit in leg} for leg in (legs.lexical, legs.dense)]
    chunks = {hit.chunk.chunk_id: hit.chunk for hit in (*legs.lexical, *legs.dense)}
    passages = [
        Passage(
            chunk=chunk,
            fused_score=lexical_weight * lexical.get(chunk_id, 0.0) + (1 - lexical_weight) * dense.get(chunk_id, 0.0),
            bm25=raw[0].get(chunk_id),
            cosine=raw[1].get(chunk_id),
            lexical_rank=ranks[0].get(chunk_id),
            dense_rank=ranks[1].get(chunk_id),
        )
        for chunk_id, chunk in chunks.items()
    ]
    return sorted(passages, key=lambda passage: (-passage.fused_score, passage.chunk.chunk_id))


def min_max(hits: Sequence[Hit]) -> Mapping[str, float]:
    """Scores stretched to LOWEST…1; all 1 when they are equal. OpenSearch's `min_max` normalisation."""
    scores = [hit.score for hit in hits]
    low, high = min(scores, default=0.0), max(scores, default=0.0)
    if low == high:
        return {hit.chunk.chunk_id: 1.0 for hit in hits}
    return {hit.chunk.chunk_id: max((hit.score - low) / (high - low), LOWEST) for hit in hits}


def reciprocal_rank(hits: Sequence[Hit]) -> Mapping[str, float]:
    """1 / (60 + rank), rank from 1. Cormack, Clarke and Büttcher, SIGIR 2009."""
    return {hit.chunk.chunk_id: 1 / (RRF_CONSTANT + rank) for rank, hit in enumerate(hits, 1)}
