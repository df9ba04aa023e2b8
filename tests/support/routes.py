"""The API's document routes over fakes."""

from __future__ import annotations

from dataclasses import dataclass, field

from fastapi import APIRouter

from ragstone.api.documents import DocumentRoutes
from tests.support.fake_inbox import FakeInbox
from tests.support.fake_reader import FakeReader
from tests.support.fake_registry import FakeRegistry


@dataclass
class FakeDocuments:
    """What stands behind the routes."""

    registry: FakeRegistry = field(default_factory=FakeRegistry)
    inbox: FakeInbox = field(default_factory=FakeInbox)
    reader: FakeReader = field(default_factory=FakeReader)

    @property
    def router(self) -> APIRouter:
        return DocumentRoutes(registry=self.registry, inbox=self.inbox, chunk_reader=self.reader).router
