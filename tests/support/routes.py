"""The API's document and table routes over fakes, and callers by their groups."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from fastapi import APIRouter, FastAPI
from starlette.testclient import TestClient

from ragstone.answering import Answering
from ragstone.answering.chat import ChatAnswerer
from ragstone.answering.gates import EarlyGate
from ragstone.api.access import Access
from ragstone.api.app import make_app
from ragstone.api.documents import DocumentRoutes
from ragstone.api.queries import Asking
from ragstone.api.structured import StructuredRoutes
from ragstone.budgets import Budgets
from ragstone.conversations.conversations import Conversations
from ragstone.metadata import MetadataField
from ragstone.ports import Answerer, AnswerObserver, Retriever
from ragstone.types import INBOX, DocumentRecord, DocumentStatus, Evidence, ObjectRef, Query
from tests.support.fake_inbox import FakeInbox
from tests.support.fake_reader import FakeReader
from tests.support.fake_registry import FakeRegistry
from tests.support.scripted_chat import ScriptedChat


class _Nothing:
    def retrieve(self, query: Query) -> Evidence:
        raise AssertionError("no route here asks")


@dataclass
class FakeService:
    """What stands behind the routes."""

    registry: FakeRegistry = field(default_factory=FakeRegistry)
    inbox: FakeInbox = field(default_factory=FakeInbox)
    reader: FakeReader = field(default_factory=FakeReader)

    editors: tuple[str, ...] = ()
    schema: dict[str, MetadataField] = field(default_factory=dict[str, MetadataField])

    @property
    def access(self) -> Access:
        return Access(registry=self.registry, store=self.inbox.store, editors=self.editors)

    @property
    def routers(self) -> list[APIRouter]:
        documents = DocumentRoutes(
            registry=self.registry,
            access=self.access,
            inbox=self.inbox,
            chunk_reader=self.reader,
            schema=self.schema,
        )
        structured = StructuredRoutes(
            registry=self.registry, access=self.access, store=self.inbox.store, inbox=self.inbox
        )
        return [documents.router, structured.router]

    @property
    def app(self) -> FastAPI:
        return self.app_of(self.routers)

    def app_of(self, routers: Sequence[APIRouter]) -> FastAPI:
        return make_app(asking_of(_Nothing(), ChatAnswerer(ScriptedChat([])), min_confidence=0), routers)

    @property
    def client(self) -> TestClient:
        return TestClient(self.app)

    def add(
        self,
        source: str,
        *,
        content: bytes = b"text",
        acl: tuple[str, ...] = (),
        status: DocumentStatus = DocumentStatus.INDEXED,
    ) -> DocumentRecord:
        """A document in the inbox that ingestion has seen, with its sidecar if it has an access list."""
        if acl:
            sidecar = json.dumps({"acl": acl}).encode()
            self.inbox.write(self._place(source).sidecar.source, sidecar, "application/json")
        self.inbox.write(source, content, "text/plain")
        place = self._place(source)
        record = DocumentRecord(place.document_id, place.bucket, place.key, "1", status, version="v1", acl=acl)
        self.registry.records[record.document_id] = record
        return record

    def _place(self, source: str) -> ObjectRef:
        return ObjectRef(self.inbox.bucket, INBOX + source)


def asking_of(
    retriever: Retriever,
    answerer: Answerer,
    *,
    min_confidence: float = 0.3,
    conversations: Conversations | None = None,
    budgets: Budgets | None = None,
    observers: Sequence[AnswerObserver] = (),
) -> Asking:
    """All that answers questions over these two."""
    gate = EarlyGate(min_confidence=min_confidence, min_coverage=0)
    answering = Answering(retriever=retriever, gate=gate, answerer=answerer, observers=observers)
    return Asking(answering=answering, top_k=5, conversations=conversations, budgets=budgets)


def caller(groups: Sequence[str]) -> dict[str, str]:
    """The header that says who asks."""
    context: dict[str, Any] = {"authorizer": {"claims": {"cognito:groups": ",".join(groups)}}}
    return {"x-amzn-request-context": json.dumps(context)}
