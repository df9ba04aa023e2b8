"""The answerer without a model: it quotes whole sentences, each with its citation, and never says anything else."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Iterator, Sequence
from dataclasses import dataclass, replace

from ragstone.answering.phrases import gives_orders
from ragstone.answering.places import line_to, whole_sentences
from ragstone.answering.signals import QuestionWeights
from ragstone.ports import Embedder
from ragstone.types import Claim, Evidence, Passage, TokenUsage

PASSAGE_WEIGHT = 0.7
"""How much a passage's rank counts for its sentences, beside word coverage and cosine."""

EMBEDDED = 12
SECOND_AT_LEAST = 0.6
MIN_SENTENCE = 12


@dataclass(frozen=True, slots=True)
class _Candidate:
    number: int
    text: str
    score: float


@dataclass(frozen=True, slots=True)
class ExtractiveAnswerer:
    """Quotes the sentences nearest to the question: covered words + cosine + 0.7 × the passage's fused score.

    The best sentence is quoted, and a second one when it scores nearly as high.
    """

    embedder: Embedder
    max_sentences: int = 2

    @property
    def spec(self) -> str:
        return "extractive"

    @property
    def reads(self) -> bool:
        return False

    async def claims(
        self, question: str, evidence: Evidence, *, language: str | None = None
    ) -> AsyncGenerator[Claim | TokenUsage]:
        """Quotations stay in the language that they are written in."""
        ranked = await asyncio.to_thread(self._ranked, question, evidence)
        floor = ranked[0].score * SECOND_AT_LEAST if ranked else 0.0
        for candidate in ranked[: self.max_sentences]:
            if candidate.score >= floor:
                yield Claim(candidate.text, (candidate.number,), (candidate.text,))

    def _ranked(self, question: str, evidence: Evidence) -> list[_Candidate]:
        weights = QuestionWeights.of(question, evidence.pool)
        lexical = _by_score(_candidates(weights, evidence.passages))[:EMBEDDED]
        return _by_score(self._with_cosine(question, lexical))

    def _with_cosine(self, question: str, candidates: Sequence[_Candidate]) -> list[_Candidate]:
        """Only the best by words are embedded: a remote embedder is asked once, for a handful of sentences."""
        if not candidates:
            return []
        asked = self.embedder.embed_query(question)
        vectors = self.embedder.embed_documents([candidate.text for candidate in candidates])
        return [
            replace(candidate, score=candidate.score + sum(a * b for a, b in zip(asked, vector, strict=True)))
            for candidate, vector in zip(candidates, vectors, strict=True)
        ]


def _candidates(weights: QuestionWeights, passages: Sequence[Passage]) -> Iterator[_Candidate]:
    """Each distinct sentence of the passages with its score by words and rank.

    Headings, scraps and orders to an assistant are left out.
    """
    seen: set[str] = set()
    for number, passage in enumerate(passages, 1):
        headings = {part.casefold() for part in (passage.chunk.title or "", *passage.chunk.section_path)}
        for span in whole_sentences(passage.chunk.text):
            text = passage.chunk.text[span.start : span.end]
            if len(text) < MIN_SENTENCE or text in seen or text.casefold() in headings:
                continue
            if gives_orders(line_to(passage.chunk.text, span)):
                continue
            seen.add(text)
            yield _Candidate(number, text, weights.coverage(text) + PASSAGE_WEIGHT * passage.fused_score)


def _by_score(candidates: Iterator[_Candidate] | Sequence[_Candidate]) -> list[_Candidate]:
    return sorted(candidates, key=lambda candidate: (-candidate.score, candidate.number, candidate.text))
