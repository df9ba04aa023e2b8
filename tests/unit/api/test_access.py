"""What ingestion has not finished, or could not, is as secret as what it has indexed: on every route."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from starlette.testclient import TestClient

from ragstone.errors import TransientError
from ragstone.ingestion import Budget, OutOfTime
from ragstone.types import DocumentRecord, DocumentStatus, ObjectChange
from tests.support.fake_inbox import FakeInbox
from tests.support.routes import FakeService, caller
from tests.unit.ingestion.test_pipeline import FERRY, TEXT, World

CREW = '{"acl": ["crew"], "title": "Ferries"}'
LONG = "ferry tram. " * 600


class Service:
    """Ingestion and routes over the same registry and store."""

    def __init__(self) -> None:
        self.world = World(size=10)
        inbox = FakeInbox(bucket=FERRY.bucket, store=self.world.store)
        self.fakes = FakeService(registry=self.world.registry, inbox=inbox)
        self.client = TestClient(self.fakes.app)

    def ingest(self, change: ObjectChange, budget: Budget | None = None) -> DocumentRecord | None:
        return self.world.ingestion.apply(change, *([budget] if budget else []))

    def call(self, method: str, path: str, *groups: str, body: Any = None) -> tuple[int, Any]:
        response = self.client.request(method, f"/v1{path}", headers=caller(groups), json=body)
        return response.status_code, response.json()

    def listed(self, *groups: str) -> list[str]:
        return [row["source"] for row in self.call("GET", "/documents", *groups)[1]["documents"]]


@pytest.fixture
def service() -> Iterator[Service]:
    made = Service()
    with made.client:
        yield made


def processing(service: Service) -> None:
    with pytest.raises(OutOfTime):
        service.ingest(service.world.put(LONG), Budget(seconds_left=lambda: 0))


def failed(service: Service) -> None:
    service.world.embedder.failures.append(TransientError("throttled"))
    with pytest.raises(TransientError):
        service.ingest(service.world.put(TEXT))


def rejected(service: Service) -> None:
    service.ingest(service.world.put("encrypted"))


def empty(service: Service) -> None:
    service.ingest(service.world.put(""))


def deleted(service: Service) -> None:
    service.ingest(service.world.put(TEXT))
    change = service.world.delete()
    service.world.delete_sidecar()
    service.ingest(change)


def late(service: Service) -> None:
    """The event of a file that is gone by now, with its sidecar, whose own event told of it before."""
    service.ingest(service.world.put(TEXT))
    again = service.world.put(f"{TEXT} And so on.")
    service.world.delete()
    service.world.delete_sidecar()
    service.ingest(again)


STATES = {
    DocumentStatus.PROCESSING: processing,
    DocumentStatus.FAILED: failed,
    DocumentStatus.REJECTED: rejected,
    DocumentStatus.EMPTY: empty,
    DocumentStatus.DELETED: deleted,
}
ROUTES = [("GET", ""), ("GET", "/chunks"), ("GET", "/versions"), ("DELETE", ""), ("POST", "/reingest")]


@pytest.mark.parametrize("status", STATES)
def test_whatever_becomes_of_a_document_only_its_readers_learn_of_it(service: Service, status: DocumentStatus) -> None:
    service.world.put_sidecar(CREW)
    STATES[status](service)
    assert service.world.record().status is status
    assert (service.listed(), service.listed("board"), service.listed("crew")) == ([], [], [FERRY.source])
    objects = dict(service.world.store.objects)
    for method, path in ROUTES:
        hidden = service.call(method, f"/documents/{FERRY.document_id}{path}", "board")
        assert hidden == service.call(method, f"/documents/nothing{path}", "board")
        assert hidden[0] == 404
    for route, more in (("preview", {}), ("commit", {"name": "rows"})):
        hidden = service.call("POST", f"/structured/{route}", "board", body={"source": FERRY.source, **more})
        assert (hidden[0], hidden[1]["code"]) == (404, "unknown_document")
    taken = service.call("POST", "/documents", "board", body={"files": [{"source": FERRY.source}]})
    assert (taken[0], taken[1]["code"]) == (409, "source_taken")
    assert service.world.store.objects == objects
    assert service.call("GET", f"/documents/{FERRY.document_id}", "crew")[1]["status"] == status


def test_the_late_event_of_a_file_that_is_gone_does_not_tell_its_name(service: Service) -> None:
    service.world.put_sidecar(CREW)
    late(service)
    assert (service.listed(), service.listed("crew")) == ([], [FERRY.source])


def test_a_tightened_list_holds_while_the_document_is_still_read(service: Service) -> None:
    service.ingest(service.world.put(LONG))
    with pytest.raises(OutOfTime):
        service.ingest(service.world.put_sidecar(CREW), Budget(seconds_left=lambda: 0))
    (current,) = service.world.registry.current([FERRY.document_id]).values()
    assert (current.acl, service.listed("board")) == (("crew",), [])


def test_without_its_sidecar_a_document_is_everybody_s_again_even_if_it_is_rejected(service: Service) -> None:
    service.world.put_sidecar(CREW)
    service.ingest(service.world.put("encrypted"))
    service.ingest(service.world.delete_sidecar())
    assert (service.world.record().status, service.listed("board")) == (DocumentStatus.REJECTED, [FERRY.source])


BROKEN = ['{"acl": "crew"}', "no json", json.dumps({"acess": ["crew"]})]


@pytest.mark.parametrize("sidecar", BROKEN)
def test_a_broken_sidecar_lets_nobody_learn_of_a_new_document(service: Service, sidecar: str) -> None:
    service.world.put_sidecar(sidecar)
    service.ingest(service.world.put(TEXT))
    record = service.world.record()
    assert (record.status, record.reason) == (DocumentStatus.REJECTED, "bad_sidecar")
    assert "ferry.md.metadata.json is not of the form" in (record.message or "")
    assert (service.listed(), service.listed("crew", "")) == ([], [])
    hidden = service.call("POST", "/structured/preview", "crew", body={"source": FERRY.source})
    assert hidden[0] == 404
    service.ingest(service.world.put_sidecar(CREW))
    assert (service.listed(), service.listed("crew")) == ([], [FERRY.source])


@pytest.mark.parametrize("sidecar", BROKEN)
def test_a_broken_sidecar_leaves_a_known_document_to_those_who_knew_of_it(service: Service, sidecar: str) -> None:
    service.world.put_sidecar(CREW)
    service.ingest(service.world.put(TEXT))
    service.ingest(service.world.put_sidecar(sidecar))
    assert (service.listed(), service.listed("crew")) == ([], [FERRY.source])
    shown = service.call("GET", f"/documents/{FERRY.document_id}", "crew")[1]
    assert (shown["status"], shown["reason"]) == ("rejected", "bad_sidecar")


def test_what_was_deleted_does_not_open_what_comes_after_it(service: Service) -> None:
    service.ingest(service.world.put(TEXT))
    service.ingest(service.world.delete())
    service.world.put_sidecar("no json")
    service.ingest(service.world.put(TEXT))
    assert service.listed() == []


def test_a_table_that_the_registry_does_not_know_yet_is_hidden_by_a_broken_sidecar(service: Service) -> None:
    service.world.put("id,name\n1,Kelp\n")
    service.world.put_sidecar("no json")
    hidden = service.call("POST", "/structured/preview", "crew", body={"source": FERRY.source})
    assert (hidden[0], hidden[1]["code"]) == (404, "unknown_document")


EDITING = [
    ("POST", "/documents", {"files": [{"source": "new.md"}]}),
    ("DELETE", f"/documents/{FERRY.document_id}", None),
    ("POST", f"/documents/{FERRY.document_id}/reingest", None),
    ("POST", "/structured/commit", {"content": "a\n1\n", "name": "rows"}),
]
READING = [
    ("GET", "/documents", None),
    ("GET", f"/documents/{FERRY.document_id}", None),
    ("POST", "/structured/preview", {"content": "a\n1\n"}),
]


@pytest.fixture
def edited(service: Service) -> Iterator[Service]:
    """A service whose documents only editors may change."""
    service.ingest(service.world.put(TEXT))
    service.fakes.editors = ("desk", "harbour")
    with TestClient(service.fakes.app) as client:
        service.client = client
        yield service


@pytest.mark.parametrize(("method", "path", "body"), EDITING)
def test_only_editors_change_documents(edited: Service, method: str, path: str, body: Any) -> None:
    objects = dict(edited.world.store.objects)
    for groups in ((), ("crew",)):
        status, problem = edited.call(method, path, *groups, body=body)
        assert (status, problem["code"]) == (403, "not_allowed")
        assert "Ask one to do it" in problem["detail"]
    assert edited.world.store.objects == objects
    assert edited.call(method, path, "crew", "desk", body=body)[0] in (200, 202)


@pytest.mark.parametrize(("method", "path", "body"), READING)
def test_all_callers_read(edited: Service, method: str, path: str, body: Any) -> None:
    assert edited.call(method, path, "crew", body=body)[0] == 200


def test_an_editor_who_may_not_read_a_document_may_not_change_it_either(edited: Service) -> None:
    edited.ingest(edited.world.put_sidecar(CREW))
    for method, path, body in EDITING[1:3]:
        assert edited.call(method, path, "desk", body=body)[0] == 404


def test_without_editors_whoever_may_read_a_document_may_change_it(service: Service) -> None:
    service.ingest(service.world.put(TEXT))
    assert [service.call(method, path, body=body)[0] for method, path, body in EDITING] == [200, 202, 409, 202]
