"""Function words that say nothing of what a question is about, by language."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from ragstone.text import words

FUNCTION_WORDS = {
    "en": "a about after all am an and any are as at be been before being but by can could did do does for from had "
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
}
"""A language without a list keeps all its words: their share among the candidates still tells the common ones."""


@cache
def _sets() -> Mapping[str, frozenset[str]]:
    return {language: frozenset(words(plain)) for language, plain in FUNCTION_WORDS.items()}


def content_words(text: str) -> list[str]:
    """A text's words without the function words of the language it seems to be in; all if nothing else is left."""
    found = words(text)
    own = max(_sets().values(), key=lambda known: sum(word in known for word in found))
    return [word for word in found if word not in own] or found
