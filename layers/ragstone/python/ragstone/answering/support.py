"""Whether the words of one place bear out a sentence: its facts stand in the quotation, most of its words around it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from ragstone.answering.facts import Facts, in_order, negations, pieces
from ragstone.answering.lexicon import lexicon_of
from ragstone.answering.places import Place
from ragstone.language import EASTERN, FUNCTION_WORDS, function_words, stemmed, stems, written_language
from ragstone.text import FIRST_CJK, WORD, words
from ragstone.types import Passage

DETECTED_FROM = 2_000
"""Characters that tell a passage's language."""

REMEMBERED_TEXTS = 64


@dataclass(frozen=True, slots=True)
class Support:
    """What a place says, to hold sentences against.

    `language` is the answer's; a sentence in another than the passage's shares few words with it, so that its facts
    alone are compared. `common` are words that name nothing; `elsewhere` is what else is quoted for the sentence: a
    word that only stands there was stitched in.
    """

    place: Place
    written: str
    language: str
    min_word_support: float
    common: frozenset[str]
    elsewhere: str = ""

    def bears_out(self, sentence: str) -> bool:
        spoken = self._spoken(sentence)
        asked = Facts.of(sentence, spoken, common=self.common, translated=spoken != self.written)
        held, around = _facts(self.place.quoted, self.written), _facts(self.place.context, self.written)
        return (
            in_order(asked.numbers, held.numbers)
            and in_order(asked.bounded, around.bounded)
            and in_order(asked.dates, held.dates)
            and self._holds_names(asked, held)
            and self._holds_units(asked, held, translated=spoken != self.written)
            and self._denies_alike(sentence, spoken)
            and (spoken != self.written or self._word_support(sentence, asked) >= self.min_word_support)
        )

    def _spoken(self, sentence: str) -> str:
        """The passage's language wherever the sentence may be in it, since more is compared then."""
        if self.written == self.language:
            return self.written
        spoken = written_language(sentence)
        if spoken in EASTERN:
            return self.language if spoken == self.language else self.written
        if self.written in EASTERN or self.language in EASTERN:
            return self.written if self.language in EASTERN else self.language
        found = words(sentence)
        counts = [sum(word in _function_words(code) for word in found) for code in (self.written, self.language)]
        return self.written if counts[0] >= max(counts[1], 1) else self.language

    def _holds_names(self, asked: Facts, held: Facts) -> bool:
        """Every name stands in the quotation; two in turned order only where "by" turns them back."""
        quoted = [piece for token in WORD.findall(self.place.quoted) for piece in pieces(token, self.written)]
        if not set(asked.names) <= set(quoted):
            return False
        return asked.name_count < 2 or in_order(asked.names, quoted) == (asked.has_agent == held.has_agent)

    def _holds_units(self, asked: Facts, held: Facts, *, translated: bool) -> bool:
        """What the sentence counts is in the quotation: signs always, words unless they had to be translated."""
        named = [unit for unit in asked.units if unit[0].isalpha()]
        signs = {unit for unit in asked.units if not unit[0].isalpha()}
        is_counted = translated or set(stemmed(named, self.written)) <= stems(self.place.quoted, self.written)
        return is_counted and signs <= set(held.units)

    def _denies_alike(self, sentence: str, spoken: str) -> bool:
        """Whether sentence and source say "no" equally often, or both do where languages count it differently."""
        said, held = negations(sentence, spoken), negations(self.place.context, self.written)
        concord = any(lexicon_of(code).concord or code in EASTERN for code in (spoken, self.written))
        return bool(said) == bool(held) if concord or spoken != self.written else said == held

    def _word_support(self, sentence: str, asked: Facts) -> float:
        """The share of the sentence's words that stand around the quotation; what is compared exactly aside."""
        known = _known(f"{self.place.passage.chunk.breadcrumb} {self.place.context}", self.written)
        lexicon = lexicon_of(self.written)
        exact = lexicon.openers | lexicon.negations | lexicon.exact | _function_words(self.written)
        names = set(asked.names)
        named = frozenset(word for word in words(sentence) if names and names.issuperset(pieces(word, self.written)))
        stated = set(_terms(sentence, self.written, without=exact | named))
        if not stated:
            return float(bool(asked.numbers or asked.dates or asked.names))
        is_stitched = bool((stated - known).intersection(_terms(self.elsewhere, self.written)))
        return 0.0 if is_stitched else len(stated & known) / len(stated)


def written_in(passage: Passage) -> str:
    return _detected(passage.chunk.text[:DETECTED_FROM])


def common_words(passages: Sequence[Passage]) -> frozenset[str]:
    """Words that the passages write small: with a capital at a sentence's begin they name nothing."""
    return frozenset[str]().union(*(_small_words(passage.chunk.text) for passage in passages))


@lru_cache(maxsize=REMEMBERED_TEXTS)
def _small_words(text: str) -> frozenset[str]:
    tokens = {token for token in WORD.findall(text) if token.islower()}
    return frozenset(folded for token in tokens for folded in words(token))


@lru_cache(maxsize=REMEMBERED_TEXTS)
def _facts(text: str, language: str) -> Facts:
    return Facts.of(text, language)


@lru_cache(maxsize=REMEMBERED_TEXTS)
def _known(text: str, language: str) -> frozenset[str]:
    return frozenset(_terms(text, language))


@lru_cache(maxsize=REMEMBERED_TEXTS)
def _detected(text: str) -> str:
    return written_language(text)


def _terms(text: str, language: str, *, without: frozenset[str] = frozenset()) -> Iterator[str]:
    """A text's words by their stems, and pairs of characters where no spaces part words."""
    for word in words(text):
        if word[0] >= FIRST_CJK:
            yield from (word[at : at + 2] for at in range(len(word) - 1))
        elif word not in without and not word[0].isdigit():
            yield from stemmed([word], language)


def _function_words(language: str) -> frozenset[str]:
    return function_words(language) if language in FUNCTION_WORDS else frozenset()
