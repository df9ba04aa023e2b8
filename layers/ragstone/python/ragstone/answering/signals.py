"""Named signals of how well the evidence fits a question: raw figures that mean the same in every corpus.

Each is 0 to 1 or near it, and none reads a fused or a reranker's score, whose scales say nothing by themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise, product
from math import log

from ragstone.analysis import document_tokens, query_terms
from ragstone.answering.facts import negations
from ragstone.language import language_of, written_language
from ragstone.text import normalised, sentences
from ragstone.types import Evidence, Passage

REMEMBERED_TEXTS = 1_024
BM25_CEILING = 2.2
"""k1 + 1: what a word that fills a passage scores for each unit of its idf."""

LONG = 20
"""Words of a question."""

Term = tuple[str, ...]
"""Tokens that stand for the same word of the question."""


@dataclass(frozen=True, slots=True)
class QuestionWeights:
    """The question's content words, each with its inverse document frequency among the candidates.

    A word that no candidate holds weighs most: the lexical leg would have brought one if the corpus had it.
    """

    language: str
    weights: Mapping[Term, float]

    @classmethod
    def of(cls, question: str, pool: Sequence[Passage]) -> QuestionWeights:
        language = language_of(question)
        texts = [_tokens(passage.chunk.shown_text, language) for passage in pool]
        asked = query_terms(question)
        return cls(language, {term: _idf(sum(_holds(text, term) for text in texts), len(texts)) for term in asked})

    def coverage(self, text: str) -> float:
        """The idf-weighted share of the question's words that a text holds, 0 to 1."""
        held = _tokens(text, self.language)
        covered = sum(weight for term, weight in self.weights.items() if _holds(held, term))
        return covered / self.total if self.weights else 0.0

    def adjacency(self, text: str) -> float:
        """The idf-weighted share of the question's neighbouring words that stand side by side in a text, 0 to 1."""
        pairs = {(left, right): self.weights[left] + self.weights[right] for left, right in pairwise(self.weights)}
        held = _neighbours(text, self.language)
        found = sum(weight for pair, weight in pairs.items() if not held.isdisjoint(product(*pair)))
        return found / sum(pairs.values()) if pairs else 0.0

    @property
    def total(self) -> float:
        return sum(self.weights.values())


@dataclass(frozen=True)
class Reading:
    """A question read against its evidence: what signals are taken from. There is at least one passage."""

    question: str
    evidence: Evidence

    @cached_property
    def weights(self) -> QuestionWeights:
        """Of the question as it was searched."""
        return QuestionWeights.of(self.evidence.translation or self.question, self.evidence.pool)

    @cached_property
    def coverages(self) -> list[float]:
        """Of each passage under its headings."""
        return [self.weights.coverage(passage.chunk.shown_text) for passage in self.evidence.passages]

    @cached_property
    def best_sentences(self) -> list[tuple[float, str]]:
        """Of each passage the sentence that covers most, after how much that is."""
        return [
            max(
                ((self.weights.coverage(text[start:end]), text[start:end]) for start, end in sentences(text)),
                default=(0.0, ""),
            )
            for text in (passage.chunk.text for passage in self.evidence.passages)
        ]

    @cached_property
    def cosines(self) -> list[float]:
        return [max(passage.cosine or 0.0, 0.0) for passage in self.evidence.passages]


Signal = Callable[[Reading], float]


def match(reading: Reading) -> float:
    """The plain sum of one lexical and one dense signal: of the passage for which it is largest.

    Cosines of a question and what answers it spread over half of the range that covered shares do, so they count
    twice. Evidence that no dense leg found is judged by its words alone.
    """
    pairs = zip(reading.coverages, reading.best_sentences, strict=True)
    lexical = [(in_passage + in_sentence) / 2 for in_passage, (in_sentence, _) in pairs]
    if all(passage.cosine is None for passage in reading.evidence.passages):
        return max(lexical)
    return max((words + 2 * cosine) / 3 for words, cosine in zip(lexical, reading.cosines, strict=True))


def bm25(reading: Reading) -> float:
    """The best BM25 score over the most that the question's words can score."""
    best = max(passage.bm25 or 0.0 for passage in reading.evidence.passages)
    return best / (BM25_CEILING * reading.weights.total) if reading.weights.total else 0.0


def unseen(reading: Reading) -> float:
    """The share of the question's words that no candidate holds."""
    texts = [_tokens(passage.chunk.shown_text, reading.weights.language) for passage in reading.evidence.pool]
    terms = reading.weights.weights
    return sum(not any(_holds(text, term) for text in texts) for term in terms) / len(terms) if terms else 1.0


def heading(reading: Reading) -> float:
    """How much of the question a passage's headings alone cover: the subject, rather than what is asked about it."""
    return max(reading.weights.coverage(passage.chunk.breadcrumb) for passage in reading.evidence.passages)


def margin(reading: Reading) -> float:
    """How far the nearest candidate is ahead of the second by cosine."""
    cosines = sorted((max(passage.cosine or 0.0, 0.0) for passage in reading.evidence.pool), reverse=True)
    first, second, *_ = [*cosines, 0.0, 0.0]
    return first - second


def lead(reading: Reading) -> float:
    """How far the passage that covers most is ahead of the second: where several cover alike, it is by the subject."""
    first, second, *_ = [*sorted(reading.coverages, reverse=True), 0.0]
    return first - second


def phrases(reading: Reading) -> float:
    """How much of the question a passage says in the same phrases, rather than in words from all over it."""
    return max(reading.weights.adjacency(passage.chunk.text) for passage in reading.evidence.passages)


def agreement(reading: Reading) -> float:
    """1 if both legs have the same candidate first."""
    return float(any(passage.lexical_rank == passage.dense_rank == 1 for passage in reading.evidence.pool))


def negation(reading: Reading) -> float:
    """1 if the question says no ("which line does not …?") and the sentence that covers most of it doesn't."""
    language = written_language(reading.question)
    _, sentence = max(reading.best_sentences)
    return float(negations(reading.question, language) > 0 and not negations(sentence, language))


def length(reading: Reading) -> float:
    """How many words are asked for, of LONG at most: the more there are, the less a passage covers by chance."""
    return min(len(reading.weights.weights) / LONG, 1.0)


SIGNALS: Mapping[str, Signal] = {
    "match": match,
    "coverage": lambda reading: max(reading.coverages),
    "sentence_coverage": lambda reading: max(reading.best_sentences)[0],
    "cosine": lambda reading: max(reading.cosines),
    "bm25": bm25,
    "unseen": unseen,
    "heading": heading,
    "margin": margin,
    "lead": lead,
    "phrases": phrases,
    "agreement": agreement,
    "negation": negation,
    "length": length,
}


@lru_cache(maxsize=REMEMBERED_TEXTS)
def _tokens(text: str, language: str) -> frozenset[str]:
    return frozenset(document_tokens(normalised(text), language))


@lru_cache(maxsize=REMEMBERED_TEXTS)
def _neighbours(text: str, language: str) -> frozenset[tuple[str, str]]:
    return frozenset(pairwise(document_tokens(normalised(text), language)))


def _holds(tokens: frozenset[str], term: Term) -> bool:
    return not tokens.isdisjoint(term)


def _idf(document_frequency: int, documents: int) -> float:
    """Robertson and Spärck Jones' weight as Lucene smooths it: never negative."""
    return log(1 + (documents - document_frequency + 0.5) / (document_frequency + 0.5))
