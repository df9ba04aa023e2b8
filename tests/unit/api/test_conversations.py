from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from ragstone.api import problems
from ragstone.api.conversations import ConversationRoutes
from ragstone.api.feedback import FeedbackRoutes
from ragstone.conversations.conversations import WINDOW_CHARACTERS, Conversations
from ragstone.conversations.feedback import FeedbackBook
from ragstone.conversations.sharing import Sharing
from ragstone.conversations.values import KeptTurn, new_answer_id
from ragstone.types import (
    Answer,
    Citation,
    DocumentRecord,
    DocumentStatus,
    Refusal,
    RefusalReason,
    RefusalStage,
    Sentence,
)
from tests.support.fake_conversations import FakeConversations
from tests.support.fake_registry import FakeRegistry

MINE = "cognito:first-caller"


def caller(subject: str = "first-caller", groups: str = "") -> dict[str, str]:
    return {
        "x-amzn-request-context": json.dumps({"authorizer": {"claims": {"sub": subject, "cognito:groups": groups}}})
    }


@dataclass
class Service:
    memory: FakeConversations = field(default_factory=FakeConversations)
    registry: FakeRegistry = field(default_factory=FakeRegistry)

    @property
    def conversations(self) -> Conversations:
        return Conversations(store=self.memory, turns=self.memory.turn_store, registry=self.registry)

    @property
    def client(self) -> TestClient:
        sharing = Sharing(conversations=self.conversations, shares=self.memory.share_store)
        book = FeedbackBook(turns=self.memory.turn_store, registry=self.registry)
        app = FastAPI()
        app.include_router(ConversationRoutes(conversations=self.conversations, sharing=sharing).router)
        app.include_router(FeedbackRoutes(feedback=book, only_editors=lambda: None).router)
        problems.install(app)
        return TestClient(app, headers=caller(), raise_server_exceptions=False)

    def document(self, document_id: str, *acl: str) -> None:
        self.registry.records[document_id] = DocumentRecord(
            document_id, "bucket", f"inbox/{document_id}", "1", DocumentStatus.INDEXED, version="v", acl=acl
        )

    def asked(self, conversation_id: str | None, *documents: str, question: str = "When?") -> KeptTurn:
        """A turn with one sentence from each document."""
        sentences = tuple(
            Sentence(f"Said by {d}.", (Citation(n, d, f"words of {d}", 0, 9, f"{d}-v-000001", page=3),))
            for n, d in enumerate(documents, 1)
        )
        refusal = None if documents else Refusal(RefusalStage.RETRIEVAL, RefusalReason.NO_EVIDENCE, "No.", ("secret",))
        answer = Answer(sentences, refusal, 0.8)
        answer_id = new_answer_id(conversation_id)
        turn = KeptTurn.of(answer, answer_id=answer_id, owner=MINE, question=question, settings={"strategy": "hybrid"})
        self.conversations.record(turn)
        return turn


@pytest.fixture
def service() -> Service:
    made = Service()
    made.document("open")
    made.document("crewonly", "crew")
    return made


def begun(service: Service, title: str = "") -> str:
    reply = service.client.post("/v1/conversations", json={"title": title})
    assert reply.status_code == 201
    return reply.json()["conversation_id"]


def test_a_conversation_is_called_by_its_first_question(service: Service) -> None:
    mine = begun(service)
    service.asked(mine, "open", question="When does the night ferry run, and why only then? " * 3)
    service.asked(mine, "open", question="Second?")
    found = service.client.get(f"/v1/conversations/{mine}").json()
    assert found["title"] == "When does the night ferry run, and why only then? When does the night ferry…"
    assert found["turns"][1]["question"] == "Second?"
    assert "owner" not in found


def test_a_given_title_stays(service: Service) -> None:
    mine = begun(service, "Ferries")
    service.asked(mine, "open")
    assert service.client.get(f"/v1/conversations/{mine}").json()["title"] == "Ferries"


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("GET", "", None),
        ("PATCH", "", {"title": "x"}),
        ("DELETE", "", None),
        ("GET", "/export", None),
        ("POST", "/shares", {}),
        ("GET", "/shares", None),
        ("DELETE", "/shares/x", None),
    ],
)
def test_another_s_conversation_is_unknown_on_every_route(
    service: Service, method: str, path: str, body: dict[str, Any] | None
) -> None:
    mine = begun(service, "Mine")
    reply = service.client.request(method, f"/v1/conversations/{mine}{path}", json=body, headers=caller("ben"))
    assert (reply.status_code, reply.json()["code"]) == (404, "unknown_conversation")
    assert service.client.get(f"/v1/conversations/{mine}").json()["title"] == "Mine"


def test_renaming_pinning_and_deleting(service: Service) -> None:
    mine, other = begun(service, "One"), begun(service, "Two")
    assert service.client.patch(f"/v1/conversations/{mine}", json={"title": "First"}).json()["title"] == "First"
    assert service.client.patch(f"/v1/conversations/{mine}", json={"is_pinned": True}).json()["is_pinned"]
    listed = service.client.get("/v1/conversations").json()["conversations"]
    assert [each["conversation_id"] for each in listed] == [mine, other]
    assert service.client.delete(f"/v1/conversations/{mine}").status_code == 204
    assert service.client.get("/v1/conversations?q=two").json()["conversations"][0]["title"] == "Two"
    assert len(service.client.get("/v1/conversations").json()["conversations"]) == 1


def test_what_one_may_no_longer_read_is_withheld_in_one_s_own_conversation(service: Service) -> None:
    mine = begun(service)
    service.asked(mine, "open", "crewonly", "deleted")
    (turn,) = service.client.get(f"/v1/conversations/{mine}").json()["turns"]
    assert (turn["answer"], turn["withheld_sentences"]) == ("Said by open.", 2)
    (turn,) = service.client.get(f"/v1/conversations/{mine}", headers=caller(groups="crew")).json()["turns"]
    assert turn["answer"] == "Said by open. Said by crewonly."


def test_a_reader_of_a_shared_conversation_sees_what_they_may_see(service: Service) -> None:
    mine = begun(service, "Ferries")
    service.asked(mine, "open", "crewonly")
    service.asked(mine)
    made = service.client.post(f"/v1/conversations/{mine}/shares", json={"days": 1}).json()
    shared = service.client.get(made["path"], headers=caller("ben"))
    assert [turn["answer"] for turn in shared.json()["turns"]] == ["Said by open.", ""]
    assert "crewonly" not in shared.text
    assert "secret" not in shared.text
    assert "first-caller" not in shared.text
    crew = service.client.get(made["path"], headers=caller("eve", "crew")).json()
    assert crew["turns"][0]["answer"] == "Said by open. Said by crewonly."


def test_a_revoked_share_opens_nothing(service: Service) -> None:
    mine = begun(service, "Ferries")
    made = service.client.post(f"/v1/conversations/{mine}/shares", json={}).json()
    (listed,) = service.client.get(f"/v1/conversations/{mine}/shares").json()["shares"]
    assert "token" not in listed
    assert made["token"] not in listed["share_id"]
    path = f"/v1/conversations/{mine}/shares/{listed['share_id']}"
    assert service.client.delete(path).status_code == 204
    assert service.client.get(made["path"]).status_code == 404
    assert service.client.delete(path).status_code == 404


def test_deleting_a_conversation_ends_its_shares(service: Service) -> None:
    mine = begun(service, "Ferries")
    made = service.client.post(f"/v1/conversations/{mine}/shares", json={}).json()
    service.client.delete(f"/v1/conversations/{mine}")
    assert service.client.get(made["path"]).status_code == 404


def test_an_export_names_its_sources(service: Service) -> None:
    mine = begun(service, "Ferries\n# Not a heading")
    service.asked(mine, "open", "crewonly")
    service.asked(mine, question="And then?")
    reply = service.client.get(f"/v1/conversations/{mine}/export")
    assert reply.headers["content-type"] == "text/markdown; charset=utf-8"
    assert reply.text == (
        "# Ferries # Not a heading\n\n## When?\n\nSaid by open. [1]\n\n1. open, page 3: “words of open”\n\n"
        "*1 withheld: they rest on documents that you may not read or that are gone.*\n\n## And then?\n\n*No.*\n"
    )
    exported = service.client.get(f"/v1/conversations/{mine}/export?format=json").json()
    assert [turn["question"] for turn in exported["turns"]] == ["When?", "And then?"]


def test_the_window_is_the_last_turns_that_fit(service: Service) -> None:
    mine = begun(service)
    for n in range(7):
        service.asked(mine, "open", question=f"Question {n}?")
    window = service.conversations.window(MINE, mine, ())
    assert [turn.question for turn in window] == [f"Question {n}?" for n in range(2, 7)]
    service.asked(mine, "open", question="x" * (WINDOW_CHARACTERS - 20))
    assert len(service.conversations.window(MINE, mine, ())) == 1


def test_an_answer_is_rated_by_its_owner_only(service: Service) -> None:
    turn = service.asked(None, "open")
    body = {"answer_id": turn.answer_id, "rating": "up"}
    assert service.client.post("/v1/feedback", json=body, headers=caller("ben")).json()["code"] == "unknown_answer"
    assert service.client.post("/v1/feedback", json=body).status_code == 204
    assert service.client.post("/v1/feedback", json={**body, "rating": "meh"}).status_code == 422


def test_liked_answers_become_gold_and_disliked_ones_questions(service: Service) -> None:
    liked, disliked, refused = service.asked(None, "open"), service.asked(None, "open"), service.asked(None)
    for turn, rating in ((liked, "up"), (disliked, "down"), (refused, "up")):
        service.client.post("/v1/feedback", json={"answer_id": turn.answer_id, "rating": rating, "comment": "!"})
    items = [json.loads(line) for line in service.client.get("/v1/feedback/export").text.splitlines()]
    assert [item["id"] for item in items] == [liked.answer_id, disliked.answer_id, refused.answer_id]
    assert items[0]["reference"] == "Said by open."
    assert items[0]["gold"] == [{"document": "open", "page": 3, "quote": "words of open"}]
    assert (items[1]["gold"], "reference" in items[1]) == ([], False)
    assert [item["answerable"] for item in items] == [True, True, False]


def test_the_export_holds_no_text_that_its_reader_may_not_see(service: Service) -> None:
    turn = service.asked(None, "crewonly")
    service.client.post("/v1/feedback", json={"answer_id": turn.answer_id, "rating": "up"})
    assert "words of crewonly" not in service.client.get("/v1/feedback/export").text
    assert "words of crewonly" in service.client.get("/v1/feedback/export", headers=caller("eve", "crew")).text
