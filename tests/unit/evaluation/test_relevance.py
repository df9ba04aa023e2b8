"""Which passages satisfy which gold entries."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ragstone.evaluation.corpus import Corpus
from ragstone.evaluation.gold import GoldEntry
from ragstone.evaluation.relevance import Ranking, satisfies
from tests.support.builders import chunk, passage
from tests.support.evaluations import CORPUS

TEXT = "Fares:  a single\nticket costs\u00a04\u00a0€ – bicycles are free."


@pytest.mark.parametrize("quote", ["A single ticket costs 4 €", "bicycles are free", "costs 4 € - Bicycles"])
def test_a_quote_is_found_whatever_its_case_space_and_dashes(quote: str) -> None:
    assert satisfies(chunk(TEXT, source="fares.md"), GoldEntry("fares.md", quote=quote), CORPUS)


@pytest.mark.parametrize("quote", ["ticket costs 5 €", "are fre"])
def test_other_words_are_not_the_quote(quote: str) -> None:
    assert not satisfies(chunk(TEXT, source="fares.md"), GoldEntry("fares.md", quote=quote), CORPUS)


def test_the_quote_has_to_be_in_the_right_document() -> None:
    assert not satisfies(chunk(TEXT, source="old/fares.md"), GoldEntry("fares.md", quote="bicycles"), CORPUS)


@pytest.mark.parametrize(("page", "found"), [(2, False), (3, True), (4, True), (5, False)])
def test_without_a_quote_the_page_has_to_be_covered(page: int, found: bool) -> None:
    two_pages = chunk(TEXT, source="a.pdf", page_from=3, page_to=4)
    assert satisfies(two_pages, GoldEntry("a.pdf", page=page), CORPUS) is found


def test_a_quote_counts_on_whatever_page_it_stands() -> None:
    assert satisfies(chunk(TEXT, source="a.pdf", page_from=3), GoldEntry("a.pdf", page=9, quote="are free"), CORPUS)


def test_a_format_without_pages_covers_none() -> None:
    assert not satisfies(chunk(TEXT, source="a.md", page_from=None), GoldEntry("a.md", page=1), CORPUS)


def test_with_neither_quote_nor_page_the_document_is_enough() -> None:
    assert satisfies(chunk(TEXT, source="a.md"), GoldEntry("a.md"), CORPUS)


def test_in_another_corpus_documents_are_named_below_its_folder() -> None:
    assert satisfies(chunk(TEXT, source="gold/v1/a.md"), GoldEntry("a.md"), Corpus("b", "gold/v1/"))


def test_a_ranking_says_for_each_passage_which_entries_it_satisfies() -> None:
    gold = [GoldEntry("a.md", quote="one"), GoldEntry("a.md", quote="two"), GoldEntry("b.md")]
    passages = [passage("one two", source="a.md"), passage("three", source="a.md"), passage("two", source="a.md")]
    ranking = Ranking.of(passages, gold, CORPUS)
    assert ranking.satisfied == (frozenset({0, 1}), frozenset(), frozenset({1}))
    assert ranking.first_time == [True, False, False]


def test_a_passage_satisfies_gold_in_the_documents_whose_copies_it_stands_for() -> None:
    found = replace(passage(TEXT, source="new.md"), also_in=("fares.md",))
    assert Ranking.of([found], [GoldEntry("fares.md", quote="bicycles")], CORPUS).satisfied == (frozenset({0}),)
    assert Ranking.of([found], [GoldEntry("other.md", quote="bicycles")], CORPUS).satisfied == (frozenset(),)
