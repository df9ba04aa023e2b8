"""The API as its OpenAPI document promises it: whatever is sent, no 5xx and no status that isn't documented."""

from __future__ import annotations

from typing import Any, cast

import schemathesis
from fastapi import FastAPI
from hypothesis import HealthCheck, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import content_type_conformance, status_code_conformance

from ragstone.answering.chat import ChatAnswerer
from ragstone.api.app import make_app
from ragstone.api.catalogue import Catalogue, CatalogueRoutes
from ragstone.api.conversations import ConversationRoutes
from ragstone.api.feedback import FeedbackRoutes
from ragstone.conversations.conversations import Conversations
from ragstone.conversations.feedback import FeedbackBook
from ragstone.conversations.sharing import Sharing
from ragstone.types import Evidence, Query
from tests.support.builders import evidence, passage
from tests.support.fake_conversations import FakeConversations
from tests.support.routes import FakeService, asking_of
from tests.support.scripted_chat import ScriptedChat


class Found:
    def retrieve(self, query: Query) -> Evidence:
        return evidence(passage("The night ferry runs on Tuesdays only.", cosine=0.8))


def app() -> FastAPI:
    """Every route, over fakes."""
    service, memory = FakeService(), FakeConversations()
    service.add("a.csv", content=b"name,fare\nferry,3\n")
    conversations = Conversations(store=memory, turns=memory.turn_store, registry=service.registry)
    sharing = Sharing(conversations=conversations, shares=memory.share_store)
    feedback = FeedbackBook(turns=memory.turn_store, registry=service.registry)
    asking = asking_of(Found(), ChatAnswerer(ScriptedChat([[] for _ in range(100_000)])), conversations=conversations)
    routers = [
        *service.routers,
        ConversationRoutes(conversations=conversations, sharing=sharing).router,
        FeedbackRoutes(feedback=feedback, only_editors=service.access.only_editors).router,
        CatalogueRoutes(catalogue=Catalogue(models=["extractive"], strategies=["hybrid"])).router,
    ]
    return make_app(asking, routers)


schema: Any = cast("Any", schemathesis).openapi.from_asgi("/v1/openapi.json", app())
CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance]


@schema.parametrize()
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much])
def test_every_answer_is_a_documented_one(case: Any) -> None:
    case.call_and_validate(checks=CHECKS)


def test_every_route_is_described() -> None:
    operations = [operation for path in schema.raw_schema["paths"].values() for operation in path.values()]
    assert len(operations) > 25
    assert all(operation.get("tags") for operation in operations)
