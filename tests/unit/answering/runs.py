"""What the tests of single stages share: a run, its answering, and its events."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Iterable
from typing import Any

from ragstone.answering import Answering
from ragstone.answering.chat import ChatAnswerer
from ragstone.answering.events import Event
from ragstone.answering.gates import EarlyGate
from ragstone.answering.run import Run
from ragstone.types import Evidence, Query
from tests.support.builders import evidence, passage
from tests.support.finder import Finder
from tests.support.scripted_chat import Part, ScriptedChat

FOUND = evidence(passage("The night ferry runs on Tuesdays only. It costs 12 tallies.", cosine=0.8))
TRUE = '{"sentence": "The night ferry runs on Tuesdays.", "passages": [1], "quotes": ["night ferry runs on Tuesdays"]}'
FALSE = '{"sentence": "It runs on Fridays.", "passages": [1], "quotes": ["runs on Fridays"]}'
QUERY = Query("When does the night ferry run?")


def answering(replies: Iterable[Iterable[Part]] = (), *, found: Evidence = FOUND, **stages: Any) -> Answering:
    """Over a chat model with these replies, and a retriever that has found already; `stages` replace the defaults."""
    given = {
        "retriever": Finder(found),
        "gate": EarlyGate(min_confidence=0.0, min_coverage=0.0),
        "answerer": ChatAnswerer(ScriptedChat(list(replies))),
        **stages,
    }
    return Answering(**given)


def run_of(query: Query, found: Evidence = FOUND) -> Run:
    run = Run(query, ChatAnswerer(ScriptedChat([])))
    run.evidence = found
    return run


async def events(stream: AsyncGenerator[Event]) -> list[Event]:
    return [event async for event in stream]
