"""The API with every route, over fakes."""

from __future__ import annotations

from fastapi import FastAPI

from ragstone.answering.chat import ChatAnswerer
from ragstone.api.app import make_app
from ragstone.api.catalogue import Catalogue, CatalogueRoutes
from ragstone.api.conversations import ConversationRoutes
from ragstone.api.feedback import FeedbackRoutes
from ragstone.api.mcp import McpServer
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


def whole_app() -> FastAPI:
    """One document is there, and the model says nothing."""
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
    return make_app(asking, routers, mcp=McpServer(asking=asking, registry=service.registry))
