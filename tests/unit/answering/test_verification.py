from __future__ import annotations

import pytest

from ragstone.answering.verification import Verifier
from ragstone.types import Claim
from tests.support.builders import passage

FERRY = passage(
    "The night ferry runs on Tuesdays only. A crossing costs 12 tallies.", char_from=100, source="ferry.pdf"
)
TRAM = passage("Trams are washed on Mondays.", source="tram.txt", page_from=None, ordinal=1)


def verify(sentence: str, passages: tuple[int, ...], *quotes: str) -> object:
    return Verifier((FERRY, TRAM)).verify(Claim(sentence, passages, quotes))


def test_a_quotation_becomes_a_citation_with_its_place_in_the_document() -> None:
    sentence = Verifier((FERRY, TRAM)).verify(Claim("It sails on Tuesdays.", (1,), ("the night  ferry runs",)))
    assert sentence is not None
    (citation,) = sentence.citations
    assert (citation.number, citation.document, citation.page) == (1, "ferry.pdf", 3)
    assert citation.quote == "The night ferry runs"
    assert (citation.start, citation.end) == (100, 120)


@pytest.mark.parametrize(
    ("sentence", "passages", "quotes"),
    [
        ("Invented.", (1,), ["The night ferry runs on Fridays"]),
        ("From the wrong passage.", (2,), ["The night ferry runs"]),
        ("From no passage.", (), ["The night ferry runs"]),
        ("From a passage that is not there.", (9,), ["The night ferry runs"]),
        ("From passage zero.", (0,), ["Trams are washed"]),
        ("Uncited.", (1,), []),
        ("Proved by a scrap.", (1,), ["The"]),
        ("One of two is invented.", (1, 2), ["The night ferry runs", "Trams are painted"]),
        ("Stitched.", (1,), ["The night ferry costs 12 tallies"]),
        ("It costs 13 tallies.", (1,), ["A crossing costs 12 tallies"]),
        ("", (1,), ["The night ferry runs"]),
    ],
)
def test_what_its_passage_does_not_hold_is_not_released(
    sentence: str, passages: tuple[int, ...], quotes: list[str]
) -> None:
    assert verify(sentence, passages, *quotes) is None


def test_citations_are_numbered_without_gaps_and_the_same_words_once() -> None:
    verifier = Verifier((FERRY, TRAM))
    claims = [
        Claim("One.", (1,), ("The night ferry runs",)),
        Claim("Lost.", (1,), ("No such words",)),
        Claim("Two.", (1, 2), ("the NIGHT ferry runs", "Trams are washed on Mondays")),
    ]
    released = [sentence for claim in claims if (sentence := verifier.verify(claim))]
    assert [[c.number for c in sentence.citations] for sentence in released] == [[1], [1, 2]]
