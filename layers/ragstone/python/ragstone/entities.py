"""What a text names, found by how it is written: names, acronyms, codes and quoted terms, in any script.

No model is asked, since every chunk of every document is read, and each question by the same rules. Two texts that
name the same thing are neighbours in a graph of mentions.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import chain

from ragstone.language import ENGLISH, FUNCTION_WORDS, function_words
from ragstone.text import words

MOST = 50
"""Entities of one text: the first that it names."""

NOUNS_ARE_CAPITALISED = frozenset({"de", "lb"})
"""Languages in which one capital letter makes no name."""

# Scripts with capital letters: Latin, Greek, Cyrillic, Armenian.
_CAPITALS = "".join(filter(str.isupper, map(chr, chain(range(0x41, 0x590), range(0x1E00, 0x2000)))))
_NAME = rf"[{_CAPITALS}]\w*(?:['’&.-]\w+)*"
# Bank of England, Ludwig van Beethoven, RFC 2119: single spaces, and small words only between capitals.
_LINKS = "of|the|de|la|le|du|des|del|della|di|da|dos|van|von|der|den"
_NAMES = re.compile(rf"(?<!\w){_NAME}(?: (?:(?:{_LINKS}) ){{0,2}}{_NAME}| \d+\b)*")
_QUOTED = (re.compile(r"[“„\"«»]([^“”„\"«»\n]{3,60})[”“\"»«]"), re.compile("[「『《]([^」』》\n]{2,60})[」』》]"))
_MOST_QUOTED_WORDS = 6
_KATAKANA = re.compile("[ァ-ヺ][ァ-ヺー・]{2,}")
_POSSESSIVE = re.compile(r"['’]s?$")
_BEGINS = re.compile(r"(?:^|[.!?:;|•*\"“„»«(\n-])\s*$")


def entities_of(text: str, language: str | None) -> tuple[str, ...]:
    """The entities of a text, each once, in small letters without accents."""
    found = dict.fromkeys(map(_folded, chain(_names(text, language), _quoted(text), _KATAKANA.findall(text))))
    return tuple(entity for entity in found if len(entity) > 1)[:MOST]


def _names(text: str, language: str | None) -> Iterator[str]:
    small = function_words(language if language in FUNCTION_WORDS else ENGLISH)
    for found in _NAMES.finditer(text):
        parts = found[0].split(" ")
        own = [*parts]
        while own and (own[0].isdigit() or (_folded(own[0]) in small and not _is_code(own[0]))):
            own.pop(0)
        begins = len(own) == len(parts) and _BEGINS.search(text[max(0, found.start() - 3) : found.start()])
        yield from _named(own, language, begins=bool(begins))
        if begins and len(own) > 1:  # Ask Marta Lindqvist: the first word may be part of the name or not
            yield from _named(own[1:], language, begins=False)


def _named(parts: Sequence[str], language: str | None, *, begins: bool) -> Iterator[str]:
    capitalised = [word for word in parts if not word.isdigit()]
    if len(capitalised) > 1 or (capitalised and _is_a_name_alone(capitalised[0], language, begins=begins)):
        yield " ".join(parts)


def _quoted(text: str) -> Iterator[str]:
    terms: Iterator[str] = chain.from_iterable(quoted.findall(text) for quoted in _QUOTED)
    return (term for term in terms if len(term.split()) <= _MOST_QUOTED_WORDS)


def _is_a_name_alone(word: str, language: str | None, *, begins: bool) -> bool:
    """Whether one word is enough: a sentence begins with a capital letter whatever it begins with."""
    return _is_code(word) or not (begins or language in NOUNS_ARE_CAPITALISED)


def _is_code(word: str) -> bool:
    """An acronym, or capitals with digits: a name wherever it stands."""
    return len(word) > 1 and word.upper() == word and word != word.lower()


@lru_cache(maxsize=10_000)
def _folded(mention: str) -> str:
    return " ".join(words(_POSSESSIVE.sub("", mention)))
