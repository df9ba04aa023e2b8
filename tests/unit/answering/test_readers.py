"""The models that read beside the one that answers: for sufficiency, as a judge, and thinking aloud."""

from __future__ import annotations

import pytest

from ragstone.answering.events import Finished, Found, Reasoning, Released, Started, Status
from ragstone.answering.extractive import ExtractiveAnswerer
from ragstone.answering.gates import EarlyGate
from ragstone.answering.generation import Generation
from ragstone.answering.judging import Judge
from ragstone.answering.reasoning import ReasoningPass
from ragstone.answering.sufficiency import SufficiencyCheck
from ragstone.errors import TransientError
from ragstone.types import RefusalReason, RefusalStage, TokenUsage
from tests.support.fake_embedder import FakeEmbedder
from tests.support.scripted_chat import Part, ScriptedChat
from tests.unit.answering.runs import QUERY, TRUE, answering, events

USED = TokenUsage("scripted", 100, 20)


def check(*parts: Part, sure: float = 1.1) -> SufficiencyCheck:
    return SufficiencyCheck(model=ScriptedChat([parts]), sure=sure)


async def test_passages_read_as_insufficient_are_refused_without_an_answer_being_asked_for() -> None:
    answer = await answering([], sufficiency=check('{"sufficient": false}')).answer(QUERY)
    assert answer.refusal is not None
    assert answer.refusal.stage is RefusalStage.SUFFICIENCY
    assert answer.refusal.reason is RefusalReason.INSUFFICIENT_EVIDENCE
    assert answer.telemetry.usage == (USED,)


@pytest.mark.parametrize("reply", ['{"sufficient": true}', "perhaps", ""])
async def test_anything_but_a_clear_no_goes_on(reply: str) -> None:
    found = await events(answering([[TRUE]], sufficiency=check(reply)).stream(QUERY))
    assert [type(event) for event in found] == [Started, Found, Status, Released, Finished]


async def test_a_reader_that_fails_refuses_nothing_and_is_named() -> None:
    answer = await answering([[TRUE]], sufficiency=check(TransientError("down"))).answer(QUERY)
    assert not answer.refused
    assert answer.telemetry.degraded == ("the passages were not read for sufficiency: down",)


async def test_nobody_reads_where_the_confidence_is_sure_or_the_answerer_only_quotes() -> None:
    unasked = SufficiencyCheck(model=ScriptedChat([]), sure=0.0)
    assert not (await answering([[TRUE]], sufficiency=unasked).answer(QUERY)).refused
    quoting = ExtractiveAnswerer(FakeEmbedder())
    answer = await answering(sufficiency=SufficiencyCheck(model=ScriptedChat([]), sure=1.1), answerer=quoting).answer(
        QUERY
    )
    assert answer.text.startswith("The night ferry runs on Tuesdays only.")


async def test_the_lexical_reading_is_for_answerers_that_only_quote() -> None:
    strict = EarlyGate(min_confidence=0.0, min_coverage=1.1)
    assert not (await answering([[TRUE]], gate=strict).answer(QUERY)).refused
    refused = await answering(gate=strict, answerer=ExtractiveAnswerer(FakeEmbedder())).answer(QUERY)
    assert refused.refusal is not None
    assert refused.refusal.stage is RefusalStage.SUFFICIENCY


@pytest.mark.parametrize(("reply", "released"), [('{"supported": true}', 1), ('{"supported": false}', 0), ("?", 0)])
async def test_only_the_judge_s_clear_yes_releases_a_sentence(reply: str, released: int) -> None:
    judge = ScriptedChat([[reply]])
    answer = await answering([[TRUE]], generation=Generation(judge=Judge(judge))).answer(QUERY)
    assert len(answer.sentences) == released
    assert answer.telemetry.dropped_sentences == 1 - released
    assert "night ferry runs on Tuesdays" in judge.prompts[0].user
    assert answer.telemetry.usage == (USED, USED)


async def test_reasoning_streams_before_the_answer_without_links_and_is_no_part_of_it() -> None:
    thoughts = ScriptedChat([["Passage 1 names the day.\n![x](https://e.example)\nSee [it](https://e.example)."]])
    found = await events(answering([[TRUE]], reasoning=ReasoningPass(thoughts)).stream(QUERY))
    assert [event.text for event in found if isinstance(event, Reasoning)] == ["Passage 1 names the day.", "See it."]
    finished = found[-1]
    assert isinstance(finished, Finished)
    assert finished.answer.text == "The night ferry runs on Tuesdays."


async def test_a_reasoning_pass_that_breaks_off_costs_nothing_else() -> None:
    thoughts = ScriptedChat([["Passage 1\n", TransientError("cut")]])
    answer = await answering([[TRUE]], reasoning=ReasoningPass(thoughts)).answer(QUERY)
    assert answer.text == "The night ferry runs on Tuesdays."
    assert answer.telemetry.degraded == ("the reasoning pass broke off: cut",)
