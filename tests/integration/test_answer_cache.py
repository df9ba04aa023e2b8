"""The query app with its cache, on a real table and a real index: what a change of a document does to its answers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from ragstone import composition
from ragstone.api.app import make_app
from ragstone.composition import callers, resources
from ragstone.ingestion import Ingestion
from ragstone.service import build_asking
from ragstone.settings import Settings
from ragstone.types import ChangeKind, ObjectChange, ObjectRef
from tests.support.fake_store import FakeStore, etag_of
from tests.support.fixtures_ministack import Account
from tests.support.parsing import parse
from tests.support.tables import (
    CONVERSATIONS_TABLE,
    DOCUMENTS_TABLE,
    create_conversations_table,
    create_documents_table,
)

FERRY, OTHER = "ferry.md", "library.md"
QUESTION = "When does the night ferry run?"


@dataclass
class Service:
    """Ingestion and the app over one index and its tables."""

    settings: Settings
    store: FakeStore = field(default_factory=FakeStore)
    changes: int = 0

    def __post_init__(self) -> None:
        self.client = TestClient(make_app(build_asking(self.settings)))
        self.ingestion = Ingestion(
            store=self.store,
            registry=composition.build_registry(self.settings),
            index=composition.build_index_for(self.settings),
            embedder=composition.build_embedder_for(self.settings),
            chunking=composition.build_chunking(self.settings),
            parse=parse,
        )

    def put(self, source: str, text: str) -> None:
        self.store.put("bucket", f"inbox/{source}", text)
        self._apply(ChangeKind.CREATED, source, etag_of(text.encode()))

    def delete(self, source: str) -> None:
        del self.store.objects[ObjectRef("bucket", f"inbox/{source}")]
        self._apply(ChangeKind.DELETED, source)

    def _apply(self, kind: ChangeKind, source: str, etag: str = "") -> None:
        self.changes += 1
        change = ObjectChange(kind, ObjectRef("bucket", f"inbox/{source}"), f"{self.changes:04X}", etag)
        assert self.ingestion.apply(change) is not None

    def ask(self, question: str = QUESTION) -> tuple[str, str]:
        """What the cache look-up came to, and the answer."""
        reply = self.client.post("/v1/query", json={"question": question, "stream": False})
        body: dict[str, Any] = reply.raise_for_status().json()
        return body["telemetry"]["cache"], body["answer"]


@pytest.fixture
def service(account: Account, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Service]:
    create_documents_table(account)
    create_conversations_table(account)
    resource = account.resource("dynamodb")
    for module in (resources, callers):
        monkeypatch.setattr(module, "dynamodb", lambda: resource)
    made = Service(
        Settings(
            index_url=f"lancedb://{tmp_path}",
            registry_table=DOCUMENTS_TABLE,
            conversations_table=CONVERSATIONS_TABLE,
            answer_cache="exact",
        )
    )
    made.put(FERRY, "The night ferry runs on Tuesdays only.")
    made.put(OTHER, "The library of the island opens at nine.")
    yield made
    made.ingestion.index.drop()


def test_an_answer_is_given_again_until_its_document_changes(service: Service) -> None:
    assert [service.ask(), service.ask()] == [
        ("miss", "The night ferry runs on Tuesdays only."),
        ("hit", "The night ferry runs on Tuesdays only."),
    ]
    service.put(FERRY, "The night ferry runs on Fridays only.")
    assert service.ask() == ("miss", "The night ferry runs on Fridays only.")
    assert service.ask() == ("hit", "The night ferry runs on Fridays only.")


def test_an_answer_is_gone_with_its_document(service: Service) -> None:
    assert [service.ask()[0], service.ask()[0]] == ["miss", "hit"]
    service.delete(FERRY)
    assert service.ask() == ("miss", "")


def test_an_answer_that_was_found_again_carries_its_citations(service: Service) -> None:
    asked = {"question": QUESTION, "stream": False}
    first, again = (service.client.post("/v1/query", json=asked).json() for _ in range(2))
    assert again["telemetry"]["cache"] == "hit"
    assert again["citations"] == first["citations"] != []
    assert again["sources"] == first["sources"]
    assert again["confidence"] == first["confidence"]
