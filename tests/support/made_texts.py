"""Texts of made-up words whose frequencies fall as a language's do, each with a topic: material for benchmarks."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import accumulate, product

WORDS_A_TEXT, TOPIC_WORDS = 120, 12
_SYLLABLES = [first + second for first, second in product("bdfgklmnprstv", ("a", "e", "i", "o", "u", "ar", "en"))]


def made_texts(count: int, *, seed: int = 0) -> Iterator[str]:
    """`count` texts of 120 words; a tenth of each comes from its own dozen of rarer words."""
    draw = random.Random(seed)
    vocabulary = ["".join(draw.choices(_SYLLABLES, k=draw.randint(1, 4))) for _ in range(30_000)]
    weights = list(accumulate(1 / rank for rank in range(1, len(vocabulary) + 1)))
    for _ in range(count):
        words = draw.choices(vocabulary, cum_weights=weights, k=WORDS_A_TEXT)
        topic = draw.choices(vocabulary[500:], k=TOPIC_WORDS)
        for place in range(0, WORDS_A_TEXT, WORDS_A_TEXT // TOPIC_WORDS):
            words[place] = draw.choice(topic)
        yield " ".join(words).capitalize() + "."


def made_question(text: str, *, seed: int) -> str:
    """Eight words of a text."""
    return " ".join(random.Random(seed).sample(text.rstrip(".").lower().split(), k=8))
