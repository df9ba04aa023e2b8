"""What a sentence states that words alone must prove: its numbers, dates, names and negations."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from ragstone.answering.lexicon import UNSPACED_NEGATIONS, UNSPACED_PHRASES, Lexicon, lexicon_of
from ragstone.language import EASTERN, function_words, stemmed
from ragstone.language import FUNCTION_WORDS as SPACED
from ragstone.text import FIRST_CJK, LOOKALIKES, NUMBER, WORD, words

UNSPACED_NUMERAL = re.compile("[〇零一二三四五六七八九十百千万萬亿億两兩]+")
UNSPACED_DAYS = {
    sign: number
    for days in ("一二三四五六日", "一二三四五六天", "月火水木金土日", "월화수목금토일")
    for number, sign in enumerate(days, 1)
}
UNSPACED_WEEKDAY = re.compile("(?:星期|周|週|礼拜)([一二三四五六日天])|([月火水木金土日])曜|([월화수목금토일])요일")
SIGN = re.compile(r"(?:^|[\s(])-$")
UNIT_SIGN = re.compile("[$€£¥₽₹₩%‰°]")
BOUND_BEFORE = 40
YEAR = re.compile(r"[12]\d{3}")
JOINT = re.compile(r"[-'.]")
CAPITALISED_ONLY = frozenset({"may", "march"})
"""English months that are other words when written small."""

AGENTS = frozenset({"by", "von", "durch", "par", "por", "da", "dal", "dalla", "pelo", "pela", "door"})
"""Words that name who did it after the deed: "was sued by Bob"."""


@dataclass(frozen=True, slots=True)
class Facts:
    """A text's facts in order of appearance; names in pieces, folded, and how many they are.

    `bounded` are the numbers with what stands before them: "at least #12". `units` are what numbers count: the words
    after them, folded, and the signs beside them. `has_agent` says that a name follows "by".
    """

    numbers: tuple[str, ...]
    bounded: tuple[str, ...]
    units: tuple[str, ...]
    dates: tuple[str, ...]
    names: tuple[str, ...]
    name_count: int
    has_agent: bool

    @classmethod
    def of(cls, text: str, language: str, *, common: frozenset[str] = frozenset(), translated: bool = False) -> Facts:
        """`common` are words that name nothing, although one may begin the sentence with a capital.

        A translation's first word can't be looked up, nor can the units that it counts: single ones name nothing.
        """
        plain = unicodedata.normalize("NFKC", text).translate(LOOKALIKES)
        found = list(WORD.finditer(plain))
        tokens = [match[0] for match in found]
        said = [(match.start(), fact) for match in found for fact in _said(match[0], lexicon_of(language))]
        numbers = sorted([*_figures(plain), *((at, fact) for at, fact in said if fact.startswith("#"))])
        places = [place for place in range(len(tokens)) if _is_name(tokens, place, language, common)]
        if translated:
            places = [place for place in places if not _is_translatable(tokens, place, places, language)]
        return cls(
            numbers=tuple(fact for _, fact in numbers),
            bounded=tuple(f"{_bound(plain[:at], lexicon_of(language))}{fact}" for at, fact in numbers),
            units=(*_counted(tokens, language), *UNIT_SIGN.findall(plain)),
            dates=(*(fact for _, fact in said if not fact.startswith("#")), *_unspaced_weekdays(plain)),
            names=tuple(piece for place in places for piece in pieces(tokens[place], language)),
            name_count=sum(place - 1 not in places for place in places),
            has_agent=any(place and tokens[place - 1] in AGENTS for place in places),
        )


def pieces(token: str, language: str) -> Iterator[str]:
    """A name's comparable parts: without accents, plural and genitive; Russian's without endings."""
    for folded in words(token.replace("'s", "")):
        for piece in JOINT.split(folded):
            if (len(piece) > 1 or len(token) == 1) and not piece.isdigit():
                yield stemmed([piece], language)[0] if language == "ru" else piece.rstrip("s") or piece


def in_order(asked: Iterable[str], held: Iterable[str]) -> bool:
    """Whether all that is asked for is held, in the same order."""
    rest = iter(held)
    return all(item in rest for item in dict.fromkeys(asked))


def negations(text: str, language: str) -> int:
    """How often a text says no; at most once where several words say one no together."""
    if language in EASTERN:
        return int(any(sign in text for sign in (*UNSPACED_NEGATIONS, *UNSPACED_PHRASES)))
    lexicon = lexicon_of(language)
    found = [word for word in words(text.translate(LOOKALIKES)) if _denies(word, lexicon)]
    pairs = sum(word in ("nor", "noch") for word in found if {"neither", "weder"} & set(found))
    return min(len(found) - pairs, 1 if lexicon.concord else len(found))


def _denies(word: str, lexicon: Lexicon) -> bool:
    return word.endswith("n't") or bool(lexicon.negations & {word, word.split("'", maxsplit=1)[0]})


def _counted(tokens: Sequence[str], language: str) -> Iterator[str]:
    """The content words right after numbers, years aside."""
    lexicon = lexicon_of(language)
    for before, token in pairwise(tokens):
        is_number = before[0].isdigit() or any(fact.startswith("#") for fact in _said(before, lexicon))
        if is_number and token[0].isalpha() and not YEAR.fullmatch(before) and not any(_said(token, lexicon)):
            yield from (word for word in words(token) if not _is_function_word(word, language))


def _bound(before: str, lexicon: Lexicon) -> str:
    """What one of the two words before a number makes of it."""
    return next((f"{lexicon.bounds[w]} " for w in words(before[-BOUND_BEFORE:])[-2:] if w in lexicon.bounds), "")


def _figures(text: str) -> Iterator[tuple[int, str]]:
    """Numbers in digits, and in Chinese numerals."""
    for match in NUMBER.finditer(text):
        yield match.start(), f"#{'-' if SIGN.search(text, 0, match.start()) else ''}{match[0]}"
    for match in UNSPACED_NUMERAL.finditer(UNSPACED_WEEKDAY.sub(_blank, text)):
        yield match.start(), f"#{match[0]}"


def _unspaced_weekdays(text: str) -> Iterator[str]:
    for match in UNSPACED_WEEKDAY.finditer(text):
        yield f"weekday {UNSPACED_DAYS[match[match.lastindex or 0]]}"


def _blank(match: re.Match[str]) -> str:
    return " " * len(match[0])


def _said(token: str, lexicon: Lexicon) -> Iterator[str]:
    """What a word says in any language; of a word with hyphens, what its parts say."""
    for folded in words(token):
        parts = [folded] if folded in lexicon.facts else JOINT.split(folded)
        for part in parts:
            fact = _fact(part, lexicon)
            if fact and (part not in CAPITALISED_ONLY or token[0].isupper()):
                yield fact


def _fact(word: str, lexicon: Lexicon) -> str | None:
    """ "Mondays" and "dienstags" say the same as the day."""
    plain = lexicon.facts.get(word.removesuffix("s"), "")
    return lexicon.facts.get(word) or (plain if plain.startswith("weekday") else None)


def _is_name(tokens: Sequence[str], place: int, language: str, common: frozenset[str]) -> bool:
    """A capitalised word that is no function word, date or number; in German, none that follows a determiner."""
    token, lexicon = tokens[place], lexicon_of(language)
    if not token[0].isupper() or token[0] >= FIRST_CJK or any(_said(token, lexicon)):
        return False
    folded = (words(token) or [""])[0]
    is_letter = len(token) == 1 and place > 0 and tokens[place - 1][0].isupper()
    if _is_function_word(JOINT.split(folded)[0], language) and not is_letter:
        return False
    if place == 0 and (folded in lexicon.openers or folded in lexicon.negations or folded in common):
        return False
    return not _is_determined(tokens, place, lexicon)


def _is_function_word(word: str, language: str) -> bool:
    return language in SPACED and word in function_words(language)


def _is_translatable(tokens: Sequence[str], place: int, names: Sequence[int], language: str) -> bool:
    """Whether a capitalised word stands by itself where a sentence begins, or after a number."""
    if place - 1 in names or place + 1 in names:
        return False
    before = tokens[place - 1]
    return place == 0 or before[0].isdigit() or any(f.startswith("#") for f in _said(before, lexicon_of(language)))


def _is_determined(tokens: Sequence[str], place: int, lexicon: Lexicon) -> bool:
    """Whether a determiner stands before the word, or before the adjective before it."""
    before = [token.casefold() for token in tokens[max(place - 2, 0) : place]]
    nearest = before[-1:]
    is_adjective = bool(before) and tokens[place - 1].islower()
    return bool(lexicon.determiners.intersection(before if is_adjective else nearest))
