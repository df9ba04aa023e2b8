from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

import pytest
from starlette.testclient import TestClient

from ragstone.answering.chat import ChatAnswerer
from ragstone.api.app import make_app
from ragstone.api.sse import HEARTBEAT, with_heartbeats
from ragstone.budgets import Budgets, Spending
from ragstone.conversations.conversations import Conversations
from ragstone.conversations.recording import Recording
from ragstone.types import DocumentRecord, DocumentStatus, Evidence, Query
from tests.support.builders import evidence, passage
from tests.support.fake_conversations import FakeConversations
from tests.support.fake_meter import FakeMeter
from tests.support.fake_registry import FakeRegistry
from tests.support.routes import asking_of
from tests.support.scripted_chat import ScriptedChat

TRUE = '{"sentence": "It runs on Tuesdays.", "passages": [1], "quotes": ["night ferry runs on Tuesdays"]}\n'
QUESTION = {"question": "When does the night ferry run?", "stream": False}
NOON = datetime(2026, 1, 31, 12, tzinfo=UTC)
FOUND = evidence(passage("The night ferry runs on Tuesdays only.", cosine=0.8))


def caller(subject: str) -> dict[str, str]:
    return {"x-amzn-request-context": json.dumps({"authorizer": {"claims": {"sub": subject}}})}


@dataclass
class Service:
    """The app with its memory; each answer takes 120 tokens."""

    limits: dict[str, int] = field(default_factory=dict[str, int])
    asked: list[Query] = field(default_factory=list[Query])
    memory: FakeConversations = field(default_factory=FakeConversations)
    registry: FakeRegistry = field(default_factory=FakeRegistry)
    model: ScriptedChat = field(default_factory=lambda: ScriptedChat([[TRUE]] * 9))

    def retrieve(self, query: Query) -> Evidence:
        self.asked.append(query)
        return FOUND

    def client(self) -> TestClient:
        conversations = Conversations(store=self.memory, turns=self.memory.turn_store, registry=self.registry)
        budgets = Budgets(meter=FakeMeter(), clock=lambda: NOON, **self.limits)
        asking = asking_of(
            self,
            ChatAnswerer(self.model),
            conversations=conversations,
            budgets=budgets,
            observers=[Recording(conversations=conversations, settings={"strategy": "hybrid"}), Spending(budgets)],
        )
        app = make_app(asking)
        document_id = FOUND.passages[0].chunk.document_id
        self.registry.records[document_id] = DocumentRecord(
            document_id, "bucket", "inbox/a.txt", "1", DocumentStatus.INDEXED, version="v"
        )
        return TestClient(app, headers=caller("ada"), raise_server_exceptions=False)

    def begun(self) -> str:
        return (
            Conversations(store=self.memory, turns=self.memory.turn_store, registry=self.registry)
            .create("cognito:ada")
            .conversation_id
        )


def test_an_answer_is_kept_under_the_id_that_it_is_told_with() -> None:
    service = Service()
    body = service.client().post("/v1/query", json={**QUESTION, "strategy": "dense"}).json()
    kept = service.memory.turns[body["answer_id"]]
    assert (kept.question, kept.text, kept.owner) == (QUESTION["question"], "It runs on Tuesdays.", "cognito:ada")
    assert kept.settings == {"strategy": "dense"}


def test_a_conversation_s_turns_go_with_its_next_question() -> None:
    service, client = Service(), None
    client = service.client()
    conversation_id = service.begun()
    first = client.post("/v1/query", json={**QUESTION, "conversation_id": conversation_id}).json()
    assert first["conversation_id"] == conversation_id
    client.post("/v1/query", json={**QUESTION, "question": "Why only then?", "conversation_id": conversation_id})
    conversation = service.memory.conversations[conversation_id]
    assert (conversation.title, conversation.turns) == (QUESTION["question"], 2)


def test_another_s_conversation_is_unknown_before_anything_is_done() -> None:
    service = Service()
    client, conversation_id = service.client(), service.begun()
    body = {**QUESTION, "conversation_id": conversation_id}
    reply = client.post("/v1/query", json=body, headers=caller("ben"))
    assert (reply.status_code, reply.json()["code"]) == (404, "unknown_conversation")
    assert service.asked == []


def test_what_a_request_chooses_reaches_the_query() -> None:
    service = Service()
    choices: dict[str, Any] = {"strategy": "dense", "reranker": "none", "language": "de", "top_k": 9}
    service.client().post("/v1/query", json={**QUESTION, **choices})
    (asked,) = service.asked
    assert {name: getattr(asked, name) for name in choices} == choices


def test_a_stream_can_t_be_resumed() -> None:
    reply = Service().client().post("/v1/query", json=QUESTION, headers={"Last-Event-ID": "4"})
    assert (reply.status_code, reply.json()["code"]) == (409, "cant_resume")


def test_a_search_shows_passages_with_their_text_and_asks_no_model() -> None:
    service = Service()
    body = service.client().post("/v1/search", json={"question": "night ferry"}).json()
    assert body["passages"][0]["text"] == "The night ferry runs on Tuesdays only."
    assert body["passages"][0]["cosine"] == 0.8
    assert service.model.prompts == []


def test_a_caller_over_budget_is_told_when_to_come_back() -> None:
    service = Service({"requests_a_minute": 1})
    client = service.client()
    assert client.post("/v1/query", json=QUESTION).status_code == 200
    refused = client.post("/v1/query", json=QUESTION)
    assert (refused.status_code, refused.json()["code"], refused.headers["retry-after"]) == (429, "over_budget", "60")
    assert client.post("/v1/query", json=QUESTION, headers=caller("ben")).status_code == 200


def test_tokens_are_counted_once_an_answer_is_complete() -> None:
    client = Service({"tokens_a_day": 200}).client()
    assert [client.post("/v1/query", json=QUESTION).status_code for _ in range(3)] == [200, 200, 429]


async def test_silence_is_broken_by_heartbeats() -> None:
    async def slow() -> AsyncGenerator[str]:
        yield "first"
        await asyncio.sleep(0.07)
        yield "second"

    lines = [line async for line in with_heartbeats(slow(), seconds=0.03)]
    assert (lines[0], lines[-1]) == ("first", "second")
    assert lines[1:-1] == [HEARTBEAT] * len(lines[1:-1])
    assert len(lines) > 2


async def test_a_stream_that_is_left_is_closed() -> None:
    closed = asyncio.Event()

    async def endless() -> AsyncGenerator[str]:
        try:
            yield "first"
            await asyncio.sleep(60)
            yield "never"
        finally:
            closed.set()

    lines = with_heartbeats(endless(), seconds=0.01)
    assert await anext(lines) == "first"
    assert await anext(lines) == HEARTBEAT
    await lines.aclose()
    assert closed.is_set()


@pytest.mark.parametrize("body", [{"top_k": 51}, {"language": "german"}, {"strategy": ""}, {"unknown": 1}])
def test_what_no_query_can_have_is_refused(body: dict[str, Any]) -> None:
    assert Service().client().post("/v1/query", json={**QUESTION, **body}).status_code == 422
