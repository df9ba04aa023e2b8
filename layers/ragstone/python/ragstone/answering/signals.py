"""How well passages match a question: few raw signals that mean the same in every corpus."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import log

from ragstone.language import content_stems, language_of, stems
from ragstone.types import Evidence, Passage


@dataclass(frozen=True, slots=True)
class QuestionWeights:
    """The question's content words (stemmed), each with its inverse document frequency among the candidates.

    A word that no candidate holds weighs most: the lexical leg would have brought one if the corpus had it.
    """

    language: str
    weights: Mapping[str, float]

    @classmethod
    def of(cls, question: str, pool: Sequence[Passage]) -> QuestionWeights:
        language = language_of(question)
        texts = [stems(passage.chunk.shown_text, language) for passage in pool]
        asked = content_stems(question, language)
        return cls(language, {word: _idf(sum(word in text for text in texts), len(texts)) for word in asked})

    def coverage(self, text: str) -> float:
        """The idf-weighted share of the question's words that a text holds, 0 to 1."""
        total = sum(self.weights.values())
        held = stems(text, self.language)
        return sum(weight for word, weight in self.weights.items() if word in held) / total if total else 0.0


def confidence(passage: Passage, weights: QuestionWeights) -> float:
    """The mean of covered share and cosine, 0 to 1. The fused score has no part in it."""
    return (weights.coverage(passage.chunk.shown_text) + max(passage.cosine or 0.0, 0.0)) / 2


def best_confidence(evidence: Evidence, weights: QuestionWeights) -> float:
    return max((confidence(passage, weights) for passage in evidence.passages), default=0.0)


def _idf(document_frequency: int, documents: int) -> float:
    """Robertson and Spärck Jones' weight as Lucene smooths it: never negative."""
    return log(1 + (documents - document_frequency + 0.5) / (document_frequency + 0.5))
