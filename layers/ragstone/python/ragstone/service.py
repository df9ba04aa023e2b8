"""Puts together the HTTP API on one index, from its routes and the parts that they need."""

from __future__ import annotations

from dataclasses import replace

from fastapi import APIRouter, FastAPI

from ragstone.api.access import Access
from ragstone.api.app import make_app
from ragstone.api.catalogue import Catalogue, CatalogueRoutes
from ragstone.api.conversations import ConversationRoutes
from ragstone.api.documents import DocumentRoutes
from ragstone.api.feedback import FeedbackRoutes
from ragstone.api.mcp import McpServer
from ragstone.api.queries import Asking
from ragstone.api.structured import StructuredRoutes
from ragstone.composition import (
    build_answer_cache,
    build_answering,
    build_budgets,
    build_conversations,
    build_feedback,
    build_inbox,
    build_index_for,
    build_observers,
    build_registry,
    build_sharing,
    build_table_store,
)
from ragstone.index import build_reader
from ragstone.models import known_models
from ragstone.settings import Settings


def build_api(settings: Settings) -> FastAPI:
    """The app on one index, the one that these settings name."""
    asking = build_asking(settings)
    return make_app(asking, build_routers(settings), mcp=McpServer(asking=asking, registry=build_registry(settings)))


def build_asking(settings: Settings) -> Asking:
    cache, observers = build_answer_cache(settings), build_observers(settings)
    return Asking(
        answering=replace(build_answering(settings), cache=cache, observers=observers),
        top_k=settings.top_k,
        budgets=build_budgets(settings),
        conversations=build_conversations(settings),
        schema=settings.metadata_schema,
    )


def build_routers(settings: Settings) -> tuple[APIRouter, ...]:
    registry, inbox, store = build_registry(settings), build_inbox(settings), build_table_store(settings)
    access = Access(registry=registry, store=store, editors=settings.editors)
    documents = DocumentRoutes(
        registry=registry,
        access=access,
        inbox=inbox,
        chunk_reader=build_reader(settings),
        schema=settings.metadata_schema,
    )
    structured = StructuredRoutes(registry=registry, access=access, store=store, inbox=inbox)
    return documents.router, structured.router, _catalogue(settings), *_conversations(settings, access)


def _catalogue(settings: Settings) -> APIRouter:
    catalogue = Catalogue(
        models=known_models(settings),
        strategies=tuple(dict.fromkeys((settings.strategy, *settings.strategies_allowed))),
        rerankers=tuple(dict.fromkeys(spec for spec in (settings.reranker, *settings.rerankers_allowed) if spec)),
    )
    checks = {"index": build_index_for(settings).count, "registry": lambda: build_registry(settings).get("ready?")}
    return CatalogueRoutes(catalogue=catalogue, checks=checks).router


def _conversations(settings: Settings, access: Access) -> tuple[APIRouter, ...]:
    sharing = build_sharing(settings)
    if sharing is None:
        return ()
    conversations = ConversationRoutes(conversations=sharing.conversations, sharing=sharing)
    feedback = FeedbackRoutes(feedback=build_feedback(sharing.conversations), only_editors=access.only_editors)
    return conversations.router, feedback.router
