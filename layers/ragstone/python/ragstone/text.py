"""Reading text: what of it is searched, words, sentences, and finding a quotation where it really stands."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

WORD = re.compile(r"[^\W_]+(?:['’.-][^\W_]+)*")
NUMBER = re.compile(r"\d+(?:[.,:/]\d+)*")
SENTENCE_END = re.compile(r"[.!?]+[\"'”’)\]]*(?=\s|$)|[。！？]+|\n+")
ABBREVIATION = re.compile(
    r"\b(?:(?-i:[a-zäöü])|approx|ca|cf|dr|e\.g|etc|fig|i\.e|max|min|mr|mrs|nr|no|pp|prof|sec|st|str|vs|"
    r"bzw|d\.h|evtl|ggf|inkl|sog|tel|u\.a|usw|vgl|z\.\s?b)\.$",
    re.IGNORECASE,
)
DAY = re.compile(r"\b\d{1,2}\.$")
MONTH = re.compile(r"\s*(?:Jan|Feb|Mär|Apr|Mai|Jun|Jul|Aug|Sep|Okt|Nov|Dez)")
AFTER_SPACES = re.compile(r"[^ ]")
LIST_NUMBER = re.compile(r"\s*\(?\d{1,3}\.")
LOOKALIKES = str.maketrans(
    {**dict.fromkeys("‘’‚‛`´", "'"), **dict.fromkeys("“”„‟«»", '"'), **dict.fromkeys("‐‑‒–—−", "-")}
)
FIRST_CJK = "\u2e80"
"""From here on scripts don't put spaces between words."""

# Controls but tab and newline, soft hyphen, zero-width and bidi marks, invisible operators, lone surrogates,
# byte order mark, non-characters, and the tag block, which can smuggle whole sentences past a reader's eye.
_INVISIBLE = re.compile(
    "[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\xad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f"
    "\ud800-\udfff\ufdd0-\ufdef\ufeff\ufff9-\ufffb\ufffe\uffff\U000e0000-\U000e007f]"
)
# Joiners carry meaning in Persian, in Indic scripts and inside emoji, and none next to Latin letters.
_STRAY_JOINER = re.compile("(?<=[\x00-\u024f])[\u200c\u200d]+|[\u200c\u200d]+(?=[\x00-\u024f])")


class Span(NamedTuple):
    """A stretch `[start, end)` of a text."""

    start: int
    end: int


def visible(text: str) -> str:
    """The text without characters that readers never see or type."""
    text = _INVISIBLE.sub("", text)
    return _STRAY_JOINER.sub("", text) if "\u200c" in text or "\u200d" in text else text


def normalised(text: str) -> str:
    """Text as it is embedded and searched, never as it is shown: visible characters in NFKC."""
    # NFKC would glue the letters of a trade mark's sign to the name.
    return unicodedata.normalize("NFKC", visible(text).replace("™", " ").replace("℠", " "))


def words(text: str) -> list[str]:
    """Lower-case words without accents, in order."""
    folded = text.casefold()
    if not folded.isascii():
        folded = "".join(c for c in unicodedata.normalize("NFKD", folded) if not unicodedata.combining(c))
    return WORD.findall(folded)


def sentences(text: str) -> Iterator[Span]:
    """Sentences and lines, trimmed of white space; abbreviations, dates and list numbers don't end one."""
    start = 0
    for end in SENTENCE_END.finditer(text):
        if end.group().startswith("\n") or not _goes_on(text, start, end.end()):
            yield from _trimmed(text, start, end.end())
            start = end.end()
    yield from _trimmed(text, start, len(text))


def find_quote(quote: str, text: str) -> Span | None:
    """Where `quote` stands in `text` as whole words; white space, case, width, typographic quotes and dashes aside."""
    needle, haystack = _flattened(quote.strip()).text, _flattened(text)
    at = haystack.text.find(needle) if needle else -1
    while at >= 0 and not _whole_words(haystack.text, at, at + len(needle)):
        at = haystack.text.find(needle, at + 1)
    return Span(haystack.origins[at], haystack.origins[at + len(needle) - 1] + 1) if at >= 0 else None


def _goes_on(text: str, start: int, end: int) -> bool:
    """Whether the sentence from `start` goes on after the full stop that ends at `end`."""
    after = AFTER_SPACES.search(text, end)
    following = after[0] if after else ""
    return (
        following.islower()
        or LIST_NUMBER.fullmatch(text, start, end) is not None
        or (ABBREVIATION.search(text, start, end) is not None and following not in ("", "\n"))
        or (DAY.search(text, start, end) is not None and MONTH.match(text, end) is not None)
    )


def _whole_words(text: str, start: int, end: int) -> bool:
    """Whether a stretch begins and ends between words, so that "costs 1" isn't found in "costs 12"."""
    return not (_glued(text[start - 1 : start], text[start]) or _glued(text[end - 1], text[end : end + 1]))


def _glued(left: str, right: str) -> bool:
    inside = all(character.isalnum() and character < FIRST_CJK for character in (left, right) if character)
    return bool(left and right) and (inside or unicodedata.combining(right) > 0)


def _trimmed(text: str, start: int, end: int) -> Iterator[Span]:
    piece = text[start:end]
    if words_only := piece.strip():
        first = start + piece.index(words_only)
        yield Span(first, first + len(words_only))


def encodable(text: str) -> str:
    """The text with lone surrogates, which no tokenizer and no JSON can carry, replaced by `?`."""
    return text.encode(errors="replace").decode()


class _Flat(NamedTuple):
    """A text as it is compared, and for each of its characters the position it came from."""

    text: str
    origins: list[int]


@lru_cache(maxsize=4_096)
def _compared(character: str) -> str:
    return unicodedata.normalize("NFKD", character).translate(LOOKALIKES).casefold()


@lru_cache(maxsize=64)
def _flattened(text: str) -> _Flat:
    flat: list[str] = []
    origins: list[int] = []
    for position, character in enumerate(text):
        for piece in _compared(character):
            space = piece.isspace()
            if not (space and flat and flat[-1] == " "):
                flat.append(" " if space else piece)
                origins.append(position)
    return _Flat("".join(flat), origins)
