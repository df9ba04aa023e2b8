"""From ranked candidates to the passages of an answer: no near-duplicates, not too many of one document."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from ragstone.retrieval.duplicates import Pieces, adds_nothing, pieces
from ragstone.types import Passage


class Selected(NamedTuple):
    """Passages, best first, and how many near-duplicates they stand for."""

    passages: list[Passage]
    collapsed: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """Takes candidates in their order, so that a longer list begins with the shorter one.

    `per_document` is the most chunks of one document, 0 for any number. Of near-duplicates the best is kept; callers
    may read all candidates, so a text that they can't read never hides one that they can.
    """

    per_document: int = 0
    collapse: bool = True

    def best(self, ranked: Sequence[Passage], limit: int) -> Selected:
        kept: list[Passage] = []
        known: list[Pieces] = []
        copies: list[tuple[int, str]] = []
        chunks = Counter[str]()
        for passage in ranked:
            if len(kept) == limit:
                break
            chunk = passage.chunk
            offered = pieces(chunk.shown_text) if self.collapse else frozenset[str]()
            twin = next((n for n, other in enumerate(known) if adds_nothing(offered, other)), None)
            if twin is not None:
                copies.append((twin, chunk.source))
            elif not self.per_document or chunks[chunk.document_id] < self.per_document:
                chunks[chunk.document_id] += 1
                kept.append(passage)
                known += [offered] if self.collapse else []
        return Selected(_with_sources(kept, copies), len(copies))


def _with_sources(kept: list[Passage], copies: Sequence[tuple[int, str]]) -> list[Passage]:
    for position, source in copies:
        passage = kept[position]
        if source not in (passage.chunk.source, *passage.also_in):
            kept[position] = replace(passage, also_in=(*passage.also_in, source))
    return kept
