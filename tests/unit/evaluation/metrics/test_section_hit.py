from __future__ import annotations

from dataclasses import replace

import pytest

from ragstone.evaluation.gold import GoldEntry
from ragstone.evaluation.metrics import build_metrics
from ragstone.evaluation.ragas_adapter import Ragas
from ragstone.evaluation.scores import Score
from ragstone.types import Chunk, Passage
from tests.support.builders import chunk
from tests.support.evaluations import QUESTION, UNANSWERABLE, answering_with, case
from tests.support.fake_embedder import FakeEmbedder
from tests.support.fake_reader import FakeReader

(SECTION_HIT,) = build_metrics(["section_hit@1"], Ragas(judge=None, embedder=FakeEmbedder())).values()


def part(text: str, ordinal: int, start: int | None, *path: str) -> Chunk:
    return chunk(text, ordinal=ordinal, source="fares.md", section_start=start, section_path=path)


QUOTED = part("The ferry costs 4 euros.", 1, 10, "Fares")
BESIDE = part("Children ride free.", 2, 10, "Fares")
NAMESAKE = part("Nothing about money.", 3, 90, "Fares")
ELSEWHERE = part("The bell rings.", 4, 50, "Signals")
READER = FakeReader([QUOTED, BESIDE, NAMESAKE, ELSEWHERE])


async def score(found: Chunk, entry: GoldEntry = QUESTION.gold[0]) -> Score:
    item = replace(QUESTION, gold=(entry,))
    return await SECTION_HIT.score(case(item, answering_with(Passage(found, 1.0)), READER))


@pytest.mark.parametrize(("found", "hit"), [(QUOTED, 1.0), (BESIDE, 1.0), (NAMESAKE, 0.0), (ELSEWHERE, 0.0)])
async def test_a_passage_of_the_quote_s_section_is_a_hit(found: Chunk, hit: float) -> None:
    assert await score(found) == Score.of(hit)


@pytest.mark.parametrize(("found", "hit"), [(QUOTED, 1.0), (NAMESAKE, 1.0), (ELSEWHERE, 0.0)])
async def test_gold_may_name_the_section_itself(found: Chunk, hit: float) -> None:
    assert await score(found, GoldEntry("fares.md", section="FARES")) == Score.of(hit)


async def test_another_version_s_sections_don_t_count() -> None:
    assert await score(replace(BESIDE, version="v2")) == Score.of(0.0)


async def test_a_document_without_sections_has_to_hold_the_quote() -> None:
    plain = [part("The ferry costs 4 euros.", 1, None), part("Children ride free.", 2, None)]
    READER.stored += plain
    assert [await score(each) for each in plain] == [Score.of(1.0), Score.of(0.0)]


async def test_other_documents_and_later_passages_don_t_count() -> None:
    assert await score(replace(QUOTED, source="bells.md")) == Score.of(0.0)
    second = answering_with(Passage(ELSEWHERE, 1.0), Passage(QUOTED, 0.9))
    assert await SECTION_HIT.score(case(QUESTION, second, READER)) == Score.of(0.0)


async def test_it_applies_where_gold_names_a_place_in_a_document() -> None:
    assert (await SECTION_HIT.score(case(UNANSWERABLE))).value is None
    assert (await score(QUOTED, GoldEntry("fares.md"))).reason == "the item's gold names neither a section nor a quote"
