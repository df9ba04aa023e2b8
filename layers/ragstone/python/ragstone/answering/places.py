"""Where quotations stand: each in one sentence, or a few that follow each other, of one passage."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from ragstone.text import FIRST_CJK, NUMBER, Span, find_quote, sentences
from ragstone.types import Passage

MIN_QUOTE = 8
"""Letters and digits, those of scripts without spaces counted twice: shorter words are found in any text."""

MAX_SENTENCES = 3
"""A longer quotation says everything and proves nothing."""

REMEMBERED_TEXTS = 64
ENDS = tuple(".!?。！？:;")


@dataclass(frozen=True, slots=True)
class Place:
    """Quotations that stand in the same sentences `around` of one passage; all spans are of the chunk's text."""

    passage: Passage
    around: Span
    quotes: tuple[Span, ...]

    @property
    def quoted(self) -> str:
        return " ".join(self.passage.chunk.text[span.start : span.end] for span in self.quotes)

    @property
    def context(self) -> str:
        return self.passage.chunk.text[self.around.start : self.around.end]

    @property
    def line(self) -> str:
        return line_to(self.passage.chunk.text, self.around)


def locate(quote: str, passages: Sequence[Passage]) -> Place | None:
    """The first place where a quotation stands, None if there is none that would prove anything."""
    if sum(1 + (character >= FIRST_CJK) for character in quote if character.isalnum()) < MIN_QUOTE:
        return None
    found = (_locate_in(quote, passage) for passage in passages)
    return next((place for place in found if place), None)


def merged(places: Sequence[Place]) -> list[Place]:
    """Quotations from the same sentences together; what stands apart stays apart."""
    together: list[Place] = []
    for place in places:
        same = next((n for n, other in enumerate(together) if _is_same(place, other)), None)
        if same is None:
            together.append(place)
        else:
            quotes = tuple(sorted({*together[same].quotes, *place.quotes}))
            together[same] = Place(place.passage, place.around, quotes)
    return together


def line_to(text: str, span: Span) -> str:
    """The span with what stands before it on its line: an order holds for what follows it."""
    return text[text.rfind("\n", 0, span.start) + 1 : span.end]


def whole_sentences(text: str) -> Iterator[Span]:
    """Sentences, where a line that breaks off in the middle of one goes on in the next."""
    pending: Span | None = None
    for span in sentences(text):
        if pending and _goes_on(text, pending, span):
            pending = Span(pending.start, span.end)
            continue
        if pending:
            yield pending
        pending = span
    if pending:
        yield pending


def _goes_on(text: str, left: Span, right: Span) -> bool:
    between = text[left.end : right.start]
    return between.count("\n") == 1 and not text.endswith(ENDS, 0, left.end) and text[right.start].islower()


def _locate_in(quote: str, passage: Passage) -> Place | None:
    text = passage.chunk.text
    span = find_quote(quote, text)
    if span is None or _cuts_number(text, span):
        return None
    around = [s for s in _sentences_of(text) if s.start < span.end and span.start < s.end]
    if not around or len(around) > MAX_SENTENCES:
        return None
    return Place(passage, Span(around[0].start, around[-1].end), (span,))


@lru_cache(maxsize=REMEMBERED_TEXTS)
def _sentences_of(text: str) -> tuple[Span, ...]:
    return tuple(whole_sentences(text))


def _cuts_number(text: str, span: Span) -> bool:
    """Whether a quotation begins or ends inside a number, as "costs 1" does in "costs 1.50"."""
    return any(
        number.start() < edge < number.end() for number in NUMBER.finditer(text) for edge in (span.start, span.end)
    )


def _is_same(place: Place, other: Place) -> bool:
    return place.passage is other.passage and place.around == other.around
