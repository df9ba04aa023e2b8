"""Holds each proposed sentence against the words it quotes; what they don't bear out is never released."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from ragstone.answering.links import addresses, unlinked
from ragstone.answering.phrases import gives_orders, refusal_in
from ragstone.answering.places import Place, locate, merged, whole_sentences
from ragstone.answering.sources import Sources
from ragstone.answering.support import Support, common_words, written_in
from ragstone.text import find_quote
from ragstone.types import Claim, Passage, RefusalReason, Sentence

MIN_WORD_SUPPORT = 0.66
"""The share of a sentence's words that must stand around its quotation."""


class Fault(StrEnum):
    """Why a sentence was not released."""

    UNCITED = "uncited"
    QUOTE_NOT_FOUND = "quote_not_found"
    ORDERS = "orders"
    ADDRESS = "address"
    UNSUPPORTED = "unsupported"
    JUDGE = "judge"
    INSUFFICIENT = "insufficient"
    DECLINED = "declined"


DECLINES = {RefusalReason.INSUFFICIENT_EVIDENCE: Fault.INSUFFICIENT, RefusalReason.BLOCKED: Fault.DECLINED}


@dataclass(slots=True)
class Verifier:
    """Verifies the claims of one answer and numbers its citations 1…n without gaps.

    Every quotation has to stand in a passage that the claim cites, and the words of one place have to bear out all of
    the sentence: what is stitched together from several proves nothing. `language` is the answer's.
    """

    passages: Sequence[Passage]
    language: str
    min_word_support: float = MIN_WORD_SUPPORT
    _sources: Sources = field(default_factory=Sources)
    _common: frozenset[str] = field(init=False)

    def __post_init__(self) -> None:
        self._common = common_words(self.passages)

    def verify(self, claim: Claim) -> Sentence | Fault:
        """The sentence with its citations, or what is wrong with it."""
        text = unlinked(claim.sentence)
        places = [locate(quote, self._cited(claim.passages)) for quote in claim.quotes]
        found = [place for place in places if place]
        if (kind := refusal_in(text)) and not any(find_quote(text, place.context) for place in found):
            return DECLINES[kind]
        if not claim.quotes or not claim.passages or not text:
            return Fault.UNCITED
        if len(found) < len(places):
            return Fault.QUOTE_NOT_FOUND
        proving = self._proving(text, merged(found))
        return proving if isinstance(proving, Fault) else Sentence(text, self._sources.cite(proving))

    def _proving(self, text: str, places: Sequence[Place]) -> list[Place] | Fault:
        """The places that bear out all that the text states."""
        evidence = [place for place in places if not gives_orders(place.line)]
        if not evidence or gives_orders(text):
            return Fault.ORDERS
        known = [place for place in evidence if addresses(text) <= addresses(place.quoted)]
        if not known:
            return Fault.ADDRESS
        stated = [text[span.start : span.end] for span in whole_sentences(text)]
        supports = [self._support(place, [other for other in known if other is not place]) for place in known]
        return [s.place for s in supports if all(map(s.bears_out, stated))] or Fault.UNSUPPORTED

    def _support(self, place: Place, others: Sequence[Place]) -> Support:
        return Support(
            place,
            written=written_in(place.passage),
            language=self.language,
            min_word_support=self.min_word_support,
            common=self._common,
            elsewhere=" ".join(other.quoted for other in others),
        )

    def _cited(self, cited: Sequence[int]) -> list[Passage]:
        """The passages that numbers name; a number without one is nothing to cite."""
        return [self.passages[number - 1] for number in cited if 1 <= number <= len(self.passages)]
