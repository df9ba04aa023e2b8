"""What language a document is written in, where it does not say so itself; no answer where that is not certain."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from functools import cache

from ragstone.language import FUNCTION_WORDS

_SAMPLE = 50_000
_WORD = re.compile(r"[^\W\d_]+")
_SCRIPTS = {
    "ko": re.compile("[가-힣]"),
    "el": re.compile("[Ͱ-Ͽἀ-῿]"),
    "he": re.compile("[א-ת]"),
    "th": re.compile("[ก-๛]"),
}
_KANA = re.compile("[ぁ-ゖァ-ヺ]")
_HAN = re.compile("[㐀-鿿]")
_CYRILLIC = re.compile("[Ѐ-ӿ]")
_NOT_RUSSIAN = re.compile("[^а-яё]", re.I)
_RUSSIAN = re.compile("[ыэ]", re.I)

_LETTERS_BEYOND_Z: Mapping[str, str] = {
    "en": "",
    "de": "äöüß",
    "fr": "àâæçéèêëîïôœùûüÿ",
    "es": "áéíóúüñ",
    "it": "àèéìíîòóùú",
    "pt": "áâãàçéêíóôõúü",
    "nl": "áéëèêïóöü",
}
_NOT_DUTCH = frozenset({"nie", "vir", "hierdie"})
"""Afrikaans, which has most of Dutch's words."""

# Shares of all words, measured on translations into 60 languages: below these, Galician passes for Portuguese.
_MOST_FOREIGN = 0.03
_CERTAIN, _CERTAIN_LEAD = 0.15, 1.6
_LIKELY, _LIKELY_LEAD = 0.06, 4.0
_FEWEST_LETTERS = 10
_FEWEST_HAN = 20
_FEWEST_WORDS = 5


def written_in(text: str) -> str | None:
    """The ISO 639-1 code: by the script if it is one language's, else by the share of its commonest words."""
    letters = "".join(_WORD.findall(text[:_SAMPLE]))
    kana, han = _count(_KANA, letters), _count(_HAN, letters)
    for language, script in _SCRIPTS.items():
        if (found := _count(script, letters)) >= _FEWEST_LETTERS and found > len(letters) / 2:
            return language
    if (kana + han) * 3 > len(letters) and kana + han >= _FEWEST_LETTERS:
        # Each sign says as much as several letters, and Japanese does without kana in titles only.
        return "ja" if kana * 10 > han else "zh" if not kana and han >= _FEWEST_HAN else None
    if _count(_CYRILLIC, letters) * 2 > len(letters):
        return _russian("".join(_CYRILLIC.findall(letters)))
    return _by_words(Counter(_WORD.findall(text[:_SAMPLE].lower())))


def _russian(letters: str) -> str | None:
    """Russian if its own letters are there and no other language's."""
    other, own = _count(_NOT_RUSSIAN, letters), _count(_RUSSIAN, letters)
    return "ru" if len(letters) >= 4 * _FEWEST_LETTERS and other * 300 < len(letters) < own * 120 else None


def _by_words(counted: Counter[str]) -> str | None:
    total = counted.total()
    shares = {
        language: sum(counted[word] * weight for word, weight in weights.items()) / max(total, 1)
        for language, weights in _weights().items()
    }
    best, second = sorted(shares, key=lambda language: -shares[language])[:2]
    lead = shares[best] / max(shares[second], 1e-9)
    sure = (shares[best] >= _CERTAIN and lead >= _CERTAIN_LEAD) or (shares[best] >= _LIKELY and lead >= _LIKELY_LEAD)
    varied = sum(word in counted for word in _weights()[best]) >= _FEWEST_WORDS
    return best if sure and varied and not _is_foreign(counted, best) else None


def _is_foreign(counted: Counter[str], language: str) -> bool:
    """Whether too many words have letters, or are words, that the language doesn't have."""
    beyond = re.compile(f"[^a-z{_LETTERS_BEYOND_Z[language]}]")
    foreign = sum(count for word, count in counted.items() if beyond.search(word))
    neighbours = sum(counted[word] for word in _NOT_DUTCH) if language == "nl" else 0
    return foreign + neighbours > _MOST_FOREIGN * counted.total()


@cache
def _weights() -> Mapping[str, Mapping[str, float]]:
    """Each language's commonest words; one that several languages have counts in parts."""
    lists = {language: set(FUNCTION_WORDS[language].split()) for language in _LETTERS_BEYOND_Z}
    shared = Counter(word for words in lists.values() for word in words)
    return {language: {word: 1 / shared[word] for word in words} for language, words in lists.items()}


def _count(pattern: re.Pattern[str], letters: str) -> int:
    return len(pattern.findall(letters))
