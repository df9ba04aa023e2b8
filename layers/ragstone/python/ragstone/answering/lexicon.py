"""The words that carry facts, by language: negations, dates, number words, and words that begin a sentence."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import chain
from typing import Any

from ragstone.language import ENGLISH
from ragstone.text import words

LARGE = ("100", "1000", "1000000", "1000000000")
UNSPACED_NEGATIONS = "不没沒無无非未ぬず않없못" + "勿莫否"
"""Signs that negate in Chinese, Japanese and Korean, whose words no spaces part."""

UNSPACED_PHRASES = ("ない", "ません", "なかっ", "아니", "안 ")


@dataclass(frozen=True, slots=True)
class Lexicon:
    """One language's words, folded as `ragstone.text.words` folds.

    `facts` maps a word to what it says in any language: "#12", "#2.", "month 3", "weekday 1"; `bounds` maps one before
    a number to what it makes of it: "at least", "about".
    """

    negations: frozenset[str]
    facts: Mapping[str, str]
    bounds: Mapping[str, str]
    openers: frozenset[str]
    determiners: frozenset[str]
    concord: bool

    @property
    def exact(self) -> frozenset[str]:
        """Words that are compared by what they say."""
        return frozenset((*self.facts, *self.bounds))


def lexicon_of(language: str) -> Lexicon:
    """The lexicon of a language, or English's where there is none."""
    table = _lexicons()
    return table.get(language, table[ENGLISH])


@cache
def _lexicons() -> Mapping[str, Lexicon]:
    table = tomllib.loads(files("ragstone.answering").joinpath("lexicon.toml").read_text(encoding="utf-8"))
    return {language: _lexicon(entry) for language, entry in table.items()}


def _lexicon(entry: Mapping[str, Any]) -> Lexicon:
    return Lexicon(
        negations=_folded(entry["negations"]),
        facts=dict(chain(_dates(entry), _numbers(entry), _compounds(entry))),
        bounds={word: meaning for meaning, line in entry["bounds"].items() for word in _folded(line)},
        openers=_folded(entry["openers"]),
        determiners=_folded(entry.get("determiners", "")),
        concord=entry.get("concord", False),
    )


def _dates(entry: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for kind in ("month", "weekday"):
        for number, word in _variants(entry[f"{kind}s"]):
            yield word, f"{kind} {number + 1}"


def _numbers(entry: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for value, word in _variants(entry["numbers"]):
        yield word, f"#{value}"
    for place, word in _variants(entry["tens"]):
        yield word, f"#{(place + 3) * 10}"
    for place, word in _variants(entry["large"]):
        yield word, f"#{LARGE[place]}"
    for place, word in _variants(entry["ordinals"]):
        yield word, f"#{place + 1}."


def _compounds(entry: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """ "Fünfundzwanzig" and the like, for languages that write them in one word."""
    if pattern := entry.get("compounds"):
        units = {**dict(_variants(entry["numbers"])), 1: "ein" if "und" in pattern else "een"}
        tens = {2: units[20], **{place + 3: word for place, word in _variants(entry["tens"])}}
        for unit in range(1, 10):
            for ten, word in tens.items():
                yield pattern.format(unit=units[unit], ten=word), f"#{ten * 10 + unit}"


def _variants(line: str) -> Iterator[tuple[int, str]]:
    """Each word with its place in the line, folded; a word's variants have the same place."""
    for place, entry in enumerate(line.split()):
        for word in entry.split("/"):
            for folded in words(word):
                yield place, folded


def _folded(line: str) -> frozenset[str]:
    return frozenset(folded for word in line.split() for folded in words(word))
