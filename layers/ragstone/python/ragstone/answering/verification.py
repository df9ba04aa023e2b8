"""Holds each proposed sentence against the passages it cites; what is not found there is never released."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from ragstone.text import find_quote, numbers
from ragstone.types import Citation, Claim, Passage, Sentence

MIN_QUOTE = 8
"""Characters; shorter words are found in any text and prove nothing."""


@dataclass(slots=True)
class Verifier:
    """Verifies the claims of one answer and numbers its citations 1…n without gaps."""

    passages: Sequence[Passage]
    _numbers: dict[tuple[str, int, int], int] = field(default_factory=dict[tuple[str, int, int], int])

    def verify(self, claim: Claim) -> Sentence | None:
        """The sentence with its citations, or None unless every quotation stands in a passage it cites.

        A number in the sentence has to stand in the words quoted for it.
        """
        found = [self._find(quote, claim.passages) for quote in claim.quotes]
        places = [place for place in found if place is not None]
        quoted = " ".join(passage.chunk.text[start:end] for passage, start, end in places)
        complete = bool(places) and len(places) == len(found) and bool(claim.sentence.strip())
        if not complete or not numbers(claim.sentence) <= numbers(quoted):
            return None
        return Sentence(claim.sentence.strip(), tuple(dict.fromkeys(self._citation(*place) for place in places)))

    def _find(self, quote: str, cited: Sequence[int]) -> tuple[Passage, int, int] | None:
        if len(quote.strip()) < MIN_QUOTE:
            return None
        for passage in self._cited(cited):
            if span := find_quote(quote, passage.chunk.text):
                return passage, span.start, span.end
        return None

    def _cited(self, cited: Sequence[int]) -> Iterator[Passage]:
        """The passages that numbers name; a number without one is nothing to cite."""
        return (self.passages[number - 1] for number in cited if 1 <= number <= len(self.passages))

    def _citation(self, passage: Passage, start: int, end: int) -> Citation:
        chunk = passage.chunk
        place = (chunk.chunk_id, start, end)
        return Citation(
            number=self._numbers.setdefault(place, len(self._numbers) + 1),
            document=chunk.source,
            quote=chunk.text[start:end],
            start=chunk.char_from + start,
            end=chunk.char_from + end,
            chunk_id=chunk.chunk_id,
            page=chunk.page_from,
        )
