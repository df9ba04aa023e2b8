"""From text to the tokens that BM25 counts, one analysis for every index.

Text is normalised, cut into words, folded (case, accents) and stemmed by its language. A word is indexed by its stem
and, where that differs, by itself: so inflected forms meet within a language, and names and exact words across
languages. Scripts that put no spaces between words are indexed by pairs of characters, as Lucene's `cjk` analyser
does, Chinese characters by themselves as well, since many are words.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from itertools import chain, repeat

from ragstone.language import function_words, language_of, stemmed
from ragstone.text import normalised

MAX_TOKEN = 40
"""Characters of a token that count: longer ones are no words."""

MAX_QUERY_TOKENS = 500
"""Lucene takes 1,024 clauses."""

_HAN = "\u2e80-\u2fdf\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
# Thai, Lao, Burmese, Khmer, kana, bopomofo and Hangul.
_UNSPACED = f"\u0e00-\u0eff\u1000-\u109f\u1780-\u17d3\u3031-\u3035\u3040-\u31ff\ua960-\ua97f\uac00-\ud7ff{_HAN}"
# Vowel signs and the like, which are no letters to `\w`: combining marks, Hebrew, Arabic, the scripts of India.
_SIGNS = "\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u064b-\u0670\u06d6-\u06ed\u0900-\u0963\u0966-\u109f\u1780-\u17d3"
_WORD = re.compile(rf"[\w{_SIGNS}]+(?:(?<=\d)[.,:]\d+)*")
_PIECE = re.compile(f"(?P<unspaced>[{_UNSPACED}]+)|[^{_UNSPACED}]+")
_HAN_RUN = re.compile(f"[{_HAN}]+")
_WITHOUT_ACCENT = str.maketrans(
    {"ı": "i", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "ħ": "h", "þ": "th", "æ": "ae", "œ": "oe"}
)


def document_tokens(search_text: str, language: str | None) -> list[str]:
    """The tokens of a chunk's search text, repeats included; without a language the likeliest one is taken."""
    words, unspaced = _words(search_text)
    language = language or language_of(search_text)
    tokens = list(chain.from_iterable(map(_forms, words, repeat(language))))
    for run in unspaced:
        tokens += _pairs(run)
        tokens += (sign for signs in _HAN_RUN.findall(run) if len(run) > 1 for sign in signs)
    return tokens


def query_terms(text: str) -> list[tuple[str, ...]]:
    """What to look for, each once, as tokens that stand for the same; function words only if there is nothing else."""
    words, unspaced = _words(normalised(text))
    language = language_of(text)
    content = [word for word in words if fold(word) not in function_words(language)]
    asked = content if content or unspaced else words
    terms = [forms for word in asked if (forms := _forms(word, language))]
    for run in unspaced:
        terms += ((pair,) for pair in _pairs(run))
        terms += ((sign,) for sign in _HAN_RUN.findall(run) if len(sign) == 1)
    return list(dict.fromkeys(terms))


def query_tokens(text: str) -> list[str]:
    """The tokens to look for, each once."""
    return list(dict.fromkeys(token for term in query_terms(text) for token in term))[:MAX_QUERY_TOKENS]


def fold(word: str) -> str:
    """A lower-case word without accents."""
    if word.isascii():
        return word
    plain = unicodedata.normalize("NFKD", word).translate(_WITHOUT_ACCENT)
    return "".join(character for character in plain if not unicodedata.combining(character))


def _words(text: str) -> tuple[list[str], list[str]]:
    """Lower-case words of a normalised text, and its runs of scripts without spaces."""
    found: list[str] = _WORD.findall(text.casefold().replace("_", " "))
    if text.isascii():
        return [word[:MAX_TOKEN] for word in found], []
    words: list[str] = []
    unspaced: list[str] = []
    for word in found:
        if word.isascii():
            words.append(word[:MAX_TOKEN])
            continue
        for piece in _PIECE.finditer(word):
            if piece["unspaced"]:
                unspaced.append(piece[0])
            else:
                words.append(piece[0][:MAX_TOKEN])
    return words, unspaced


@lru_cache(maxsize=20_000)
def _forms(word: str, language: str) -> tuple[str, ...]:
    """The stem, and the word itself if it is another; nothing of a word that is accents only."""
    (stem,) = stemmed([word], language)
    return tuple(form for form in dict.fromkeys((fold(stem), fold(word))) if form)


def _pairs(run: str) -> list[str]:
    return [run[start : start + 2] for start in range(len(run) - 1)] or [run]
