"""Answers as observers are told of them, each from a real run of the pipeline."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from ragstone.answering import Answering
from ragstone.answering.chat import ChatAnswerer
from ragstone.answering.gates import EarlyGate
from ragstone.ports import AnswerObserver
from ragstone.types import Answer, Evidence, Query
from tests.support.builders import evidence, passage
from tests.support.scripted_chat import ScriptedChat

QUESTION = Query("When does the night ferry run?", conversation_id="c1", answer_id="c1.a1", owner="me")
FOUND = evidence(passage("The night ferry runs on Tuesdays only.", cosine=0.8))
TRUE = (
    '{"sentence": "The night ferry runs on Tuesdays.", "passages": [1], "quotes": ["night ferry runs on Tuesdays"]}\n'
)
FALSE = '{"sentence": "It runs on Fridays.", "passages": [1], "quotes": ["runs on Fridays"]}\n'
WORDS = ("ferry", "Tuesdays", "Fridays")
"""Of the question, of the answer and of a sentence that was dropped."""


@dataclass
class Observed:
    """Asks one question of a model that says `reply`; `observers` are told."""

    observers: Sequence[AnswerObserver]
    reply: str = TRUE + FALSE
    found: Evidence = FOUND
    spec: str = "openai:gpt-6-luna"
    query: Query = field(default=QUESTION)

    def retrieve(self, query: Query) -> Evidence:
        return self.found

    async def ask(self) -> Answer:
        model = ScriptedChat([[self.reply]], spec=self.spec)
        gate = EarlyGate(min_confidence=0.3, min_coverage=0.0)
        answering = Answering(retriever=self, gate=gate, answerer=ChatAnswerer(model), observers=self.observers)
        return await answering.answer(self.query)
