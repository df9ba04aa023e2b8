from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator

import pytest

from ragstone.answering import Answering
from ragstone.answering.chat import ChatAnswerer
from ragstone.answering.events import Event, Finished, Found, Refused, Released, Started
from ragstone.answering.gates import EarlyGate
from ragstone.errors import TransientError
from ragstone.types import Evidence, Query, RefusalReason, RefusalStage, TokenUsage
from tests.support.builders import evidence, passage
from tests.support.scripted_chat import ScriptedChat

FOUND = evidence(passage("The night ferry runs on Tuesdays only.", cosine=0.8))
TRUE = (
    '{"sentence": "The night ferry runs on Tuesdays.", "passages": [1], "quotes": ["night ferry runs on Tuesdays"]}\n'
)
OTHER = TRUE.replace("The n", "N")
FALSE = '{"sentence": "It runs on Fridays.", "passages": [1], "quotes": ["runs on Fridays"]}\n'
QUESTION = Query("When does the night ferry run?")


class Finder:
    """A retriever that has found already."""

    def __init__(self, found: Evidence) -> None:
        self.found = found

    def retrieve(self, query: Query) -> Evidence:
        return self.found


def answering(model: ScriptedChat, found: Evidence = FOUND) -> Answering:
    gate = EarlyGate(min_confidence=0.3, min_coverage=0.0)
    return Answering(retriever=Finder(found), gate=gate, answerer=ChatAnswerer(model))


async def events(stream: AsyncGenerator[Event]) -> list[Event]:
    return [event async for event in stream]


async def test_verified_sentences_are_released_and_others_dropped_and_counted() -> None:
    answer = await answering(ScriptedChat([[TRUE, FALSE, OTHER]])).answer(QUESTION)
    assert answer.text == "The night ferry runs on Tuesdays. Night ferry runs on Tuesdays."
    assert [citation.number for citation in answer.citations] == [1]
    assert answer.telemetry.dropped_sentences == 1
    assert answer.telemetry.usage == (TokenUsage("scripted", 100, 20),)
    assert answer.telemetry.cost_usd is None
    assert not answer.refused


async def test_events_come_in_their_order() -> None:
    kinds = [type(event) for event in await events(answering(ScriptedChat([[TRUE, OTHER, TRUE]])).stream(QUESTION))]
    assert kinds == [Started, Found, Released, Released, Finished]


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        (FALSE, RefusalReason.UNSUPPORTED),
        ("It runs on Tuesdays.", RefusalReason.UNCITED),
        ("", RefusalReason.UNCITED),
        ("I don't know.", RefusalReason.INSUFFICIENT_EVIDENCE),
        ('{"unanswerable": true}', RefusalReason.INSUFFICIENT_EVIDENCE),
    ],
)
async def test_an_answer_without_a_verified_sentence_is_refused(reply: str, reason: RefusalReason) -> None:
    found = await events(answering(ScriptedChat([[reply]])).stream(QUESTION))
    assert [type(event) for event in found] == [Started, Found, Refused, Finished]
    finished = found[-1]
    assert isinstance(finished, Finished)
    assert finished.answer.refusal is not None
    assert (finished.answer.refusal.stage, finished.answer.refusal.reason) == (RefusalStage.GROUNDING, reason)
    assert finished.answer.citations == ()


async def test_a_refusal_before_generation_asks_no_model() -> None:
    model = ScriptedChat([])
    answer = await answering(model, Evidence(())).answer(QUESTION)
    assert answer.refusal is not None
    assert answer.refusal.reason is RefusalReason.NO_EVIDENCE
    assert model.prompts == []


async def test_an_error_of_the_model_ends_the_stream_as_that_error() -> None:
    stream = answering(ScriptedChat([[TRUE, TransientError("throttled")]])).stream(QUESTION)
    assert [type(await anext(stream)) for _ in range(3)] == [Started, Found, Released]
    with pytest.raises(TransientError):
        await anext(stream)


async def test_closing_the_stream_stops_the_model() -> None:
    model = ScriptedChat([[TRUE] * 1000])
    stream = answering(model).stream(QUESTION)
    for _ in range(3):
        await anext(stream)
    await stream.aclose()
    assert model.closed == 1


async def test_cancelling_the_reader_stops_the_model() -> None:
    model = ScriptedChat([[TRUE] * 1000])
    reading = asyncio.create_task(answering(model).answer(QUESTION))
    while not model.prompts:
        await asyncio.sleep(0)
    reading.cancel()
    with pytest.raises(asyncio.CancelledError):
        await reading
    assert model.closed == 1
