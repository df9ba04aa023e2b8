"""What language a question is in, which of its words say what it is about, and their stems."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, Protocol, cast

from ragstone.text import words

ENGLISH, RUSSIAN = "en", "ru"
CYRILLIC = re.compile("[\u0400-\u04ff]")
# In this order: Japanese is written with Chinese signs too.
EASTERN = {
    "ja": re.compile("[\u3040-\u30ff]"),
    "ko": re.compile("[\u1100-\u11ff\uac00-\ud7af]"),
    "zh": re.compile("[\u3400-\u9fff]"),
}

FUNCTION_WORDS: Mapping[str, str] = {
    ENGLISH: "a about after all am an and any are as at be been before being but by can could did do does for from had "
    "has have he her his how i if in into is it its many may me more most much must my no not of on one or our shall "
    "she should so some such than that the their them then there these they this those to up us was we were what when "
    "where which while who whom whose why will with would you your",
    "de": "aber als am an auch auf aus bei bin bis da damit dann das dass dem den denn der des die dies diese dieser "
    "dieses doch du durch ein eine einem einen einer eines er es für gibt hat haben ich ihm ihn ihr im in ist ja kann "
    "können man mehr mit muss müssen nach nicht noch nur ob oder ohne sein seine sich sie sind so soll sollen über um "
    "und unter viel viele vom von vor wann war warum was welche welchem welchen welcher welches wenn wer werden wie "
    "wieviel wird wo woher wohin zu zum zur zwischen",
    "fr": "à au aux avec ce ces cette combien comment dans de des du elle en est et il ils je la le les leur lui mais "
    "ne nous on ou où par pas plus pour pourquoi quand que quel quelle quelles quels qui sa se ses son sont sur un "
    "une vous y",
    "es": "a al como cómo con cual cuál cuando cuándo cuanto cuánto de del donde dónde el ella en es esta este hay la "
    "las lo los más no o para pero por porque que qué quien quién se ser si sin sobre son su sus un una y",
    "it": "a al alla che chi ci come con cosa da dal dei del della delle di dove e è gli ha i il in la le lo ma nel "
    "nella non o per perché più qual quale quali quando quanti quanto si sono su un una",
    "pt": "a ao aos as com como da das de do dos e é ela ele em entre está há mais na não nas no nos o onde os ou para "
    "pela pelo por porque qual quais quando quantos quanto que quem se sem ser seu sua são um uma",
    "nl": "aan als bij dan dat de der deze die dit door een en er heeft het hij hoe hoeveel ik in is je kan maar met "
    "na naar niet of om onder ook op over te tot tussen uit van voor waar waarom wanneer was wat we welk welke wie "
    "wordt ze zijn",
    RUSSIAN: "а без был была были в во где для до его ее если есть и из или их к как какая какие какой когда кто ли мы "
    "на не но о об он она они от по почему при с сколько со так то у что чтобы это этот",
}
"""By ISO 639-1 code. A question in another language keeps all its words and gets English stems."""


class Stemmer(Protocol):
    """Snowball's."""

    def stemWords(self, words: list[str], /) -> list[str]: ...


def language_of(text: str) -> str:
    """The language whose function words a text has most of; where it has none, Russian if Cyrillic, else English."""
    found = words(text)
    having = _languages_by_word()
    counts = Counter(language for word in found for language in having.get(word, ()))
    if not counts:
        return RUSSIAN if any(CYRILLIC.match(word) for word in found) else ENGLISH
    return max(FUNCTION_WORDS, key=lambda language: counts[language])


def content_stems(text: str, language: str) -> list[str]:
    """The stems of a text's words, each once, without function words; of all its words if nothing else is left."""
    found = words(text)
    content = [word for word in found if word not in function_words(language)]
    return list(dict.fromkeys(stemmed(content or found, language)))


def stems(text: str, language: str) -> frozenset[str]:
    return frozenset(stemmed(words(text), language))


def stemmed(lower_case: Sequence[str], language: str) -> list[str]:
    """Snowball's stem of each word; the words as they are in a language without function words here."""
    return _stemmer(language).stemWords(list(lower_case)) if language in FUNCTION_WORDS else list(lower_case)


@cache
def function_words(language: str) -> frozenset[str]:
    """Folded as `ragstone.text.words` folds."""
    return frozenset(words(FUNCTION_WORDS[language]))


@cache
def _languages_by_word() -> Mapping[str, list[str]]:
    """The languages that each function word belongs to."""
    having: dict[str, list[str]] = {}
    for language in FUNCTION_WORDS:
        for word in function_words(language):
            having.setdefault(word, []).append(language)
    return having


@cache
def _stemmer(language: str) -> Stemmer:
    import Stemmer as snowball

    return cast("Any", snowball).Stemmer(language)


def written_language(text: str) -> str:
    """Like `language_of`, and Chinese, Japanese or Korean where a good part of the letters are theirs."""
    eastern = {code: len(script.findall(text)) for code, script in EASTERN.items()}
    letters = sum(map(str.isalpha, text)) if any(eastern.values()) else 0
    if sum(eastern.values()) * 4 < letters or not letters:
        return language_of(text)
    return next(code for code, count in eastern.items() if count)
