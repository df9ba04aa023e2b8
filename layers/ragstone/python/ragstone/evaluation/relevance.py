"""Which gold entries a passage satisfies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ragstone.evaluation.corpus import Corpus, composed
from ragstone.evaluation.gold import GoldEntry
from ragstone.text import find_quote
from ragstone.types import Chunk, Passage


@dataclass(frozen=True, slots=True)
class Ranking:
    """For each passage, best first, the numbers (from 0) of the `gold` entries that it satisfies."""

    satisfied: tuple[frozenset[int], ...]
    gold: int

    @classmethod
    def of(cls, passages: Sequence[Passage], gold: Sequence[GoldEntry], corpus: Corpus) -> Ranking:
        return cls(
            tuple(
                frozenset(n for n, entry in enumerate(gold) if _stands_for(passage, entry, corpus))
                for passage in passages
            ),
            len(gold),
        )

    @property
    def first_time(self) -> list[bool]:
        """For each passage, whether it satisfies an entry that no better one does."""
        seen: set[int] = set()
        gains: list[bool] = []
        for entries in self.satisfied:
            gains.append(not entries <= seen)
            seen |= entries
        return gains


def _stands_for(passage: Passage, entry: GoldEntry, corpus: Corpus) -> bool:
    """Whether the passage satisfies the entry, or a near-duplicate in another document does that it stands for."""
    copies = (replace(passage.chunk, source=source) for source in passage.also_in)
    return any(satisfies(chunk, entry, corpus) for chunk in (passage.chunk, *copies))


def satisfies(chunk: Chunk, entry: GoldEntry, corpus: Corpus) -> bool:
    """Whether a chunk is of the entry's document and holds its quote, else covers its page, else is simply of it.

    Quotes are compared as whole words, with white space, case, width and typographic marks aside.
    """
    if composed(entry.document) not in corpus.names(chunk.source):
        return False
    if entry.quote is not None:
        return find_quote(entry.quote, chunk.text) is not None
    return entry.page is None or _covers(chunk, entry.page)


def _covers(chunk: Chunk, page: int) -> bool:
    return chunk.page_from is not None and chunk.page_from <= page <= (chunk.page_to or chunk.page_from)
