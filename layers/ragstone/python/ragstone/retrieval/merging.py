"""Several searches' candidates in one list."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ragstone.types import Passage


def merged(*searches: tuple[Sequence[Passage], int]) -> list[Passage]:
    """Each chunk by its best place: the n-th of a search with a stride of s counts as if it were at n × s.

    Fused scores are those places' reciprocals, since the scores of different questions don't compare; ties break by
    chunk id. Raw scores and ranks are those of the first search that found the chunk.
    """
    found: dict[str, Passage] = {}
    for passages, stride in searches:
        for place, passage in enumerate(passages, 1):
            chunk_id, worth = passage.chunk.chunk_id, 1 / (place * stride)
            known = found.get(chunk_id)
            if known is None:
                found[chunk_id] = replace(passage, fused_score=worth)
            elif known.fused_score < worth:
                found[chunk_id] = replace(known, fused_score=worth)
    return [found[chunk_id] for chunk_id in sorted(found, key=lambda each: (-found[each].fused_score, each))]
