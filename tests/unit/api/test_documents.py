from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from starlette.testclient import TestClient

from ragstone.metadata import FieldType, MetadataField
from ragstone.types import Chunk, DocumentRecord, DocumentStatus, ObjectRef
from tests.support.builders import chunk
from tests.support.routes import FakeService, caller

FAILED = DocumentStatus.FAILED


class Service:
    """The routes over fakes."""

    def __init__(self, client: TestClient, fakes: FakeService) -> None:
        self.client, self.fakes = client, fakes
        self.inbox, self.registry, self.reader, self.add = fakes.inbox, fakes.registry, fakes.reader, fakes.add

    def call(self, method: str, path: str, groups: Sequence[str] = (), **more: Any) -> Any:
        return self.client.request(method, f"/v1/documents{path}", headers=caller(groups), **more)

    def chunk_of(self, record: DocumentRecord, ordinal: int, version: str = "v1") -> Chunk:
        made = chunk(f"text {ordinal}", document_id=record.document_id, version=version, ordinal=ordinal)
        self.reader.stored.append(made)
        return made


@pytest.fixture
def service() -> Iterator[Service]:
    fakes = FakeService()
    with fakes.client as client:
        yield Service(client, fakes)


def sources(response: Any) -> list[str]:
    return [row["source"] for row in response.json()["documents"]]


def test_documents_are_listed_by_pages(service: Service) -> None:
    for name in ("b.pdf", "a.pdf", "c.pdf"):
        service.add(name)
    first = service.call("GET", "?limit=2")
    second = service.call("GET", f"?limit=2&cursor={first.json()['cursor']}")
    assert (sources(first), sources(second)) == (["a.pdf", "b.pdf"], ["c.pdf"])
    assert second.json()["cursor"] is None


def test_a_listing_is_narrowed_by_prefix_and_status(service: Service) -> None:
    service.add("a/1.pdf")
    service.add("a/2.pdf", status=FAILED)
    service.add("b/3.pdf", status=FAILED)
    assert sources(service.call("GET", "?prefix=a/&status=failed")) == ["a/2.pdf"]


def test_an_unknown_status_is_a_problem_that_lists_the_known_ones(service: Service) -> None:
    response = service.call("GET", "?status=done")
    assert (response.status_code, response.json()["code"]) == (422, "invalid_request")
    assert all(f"'{status}'" in response.json()["detail"] for status in DocumentStatus)


def test_a_listing_shows_what_the_caller_may_read(service: Service) -> None:
    service.add("open.pdf")
    service.add("crew.pdf", acl=("crew",))
    service.add("board.pdf", acl=("board",))
    assert sources(service.call("GET", "")) == ["open.pdf"]
    assert sources(service.call("GET", "", ["crew"])) == ["crew.pdf", "open.pdf"]


def test_a_document_is_shown_without_what_only_ingestion_needs(service: Service) -> None:
    record = service.add("a.pdf")
    shown = service.call("GET", f"/{record.document_id}").json()
    assert (shown["source"], shown["status"], shown["document_id"]) == ("a.pdf", "indexed", record.document_id)
    assert not {"sequencer", "etag", "content_hash", "fingerprint", "bucket"} & set(shown)


ROUTES = [("GET", ""), ("GET", "/chunks"), ("GET", "/versions"), ("DELETE", ""), ("POST", "/reingest")]


@pytest.mark.parametrize(("method", "path"), ROUTES)
def test_a_document_that_the_caller_may_not_read_is_as_unknown_as_none(
    service: Service, method: str, path: str
) -> None:
    record = service.add("board.pdf", acl=("board",))
    hidden = service.call(method, f"/{record.document_id}{path}", ["crew"])
    none = service.call(method, f"/nothing{path}", ["crew"])
    assert (hidden.status_code, hidden.json()) == (404, none.json())
    assert hidden.json()["code"] == "unknown_document"
    assert [found.source for found in service.inbox.objects()] == ["board.pdf"]
    assert len(service.inbox.versions("board.pdf").versions) == 1


@pytest.mark.parametrize(("method", "path"), ROUTES)
def test_a_document_is_all_there_for_those_who_may_read_it(service: Service, method: str, path: str) -> None:
    record = service.add("board.pdf", acl=("board",))
    assert service.call(method, f"/{record.document_id}{path}", ["crew", "board"]).status_code in (200, 202)


def test_chunks_come_by_pages(service: Service) -> None:
    record = service.add("a.pdf")
    for ordinal in range(5):
        service.chunk_of(record, ordinal)
    first = service.call("GET", f"/{record.document_id}/chunks?limit=2").json()
    second = service.call("GET", f"/{record.document_id}/chunks?limit=2&cursor={first['cursor']}").json()
    third = service.call("GET", f"/{record.document_id}/chunks?limit=2&cursor={second['cursor']}").json()
    shown = [chunk["text"] for page in (first, second, third) for chunk in page["chunks"]]
    assert shown == ["text 0", "text 1", "text 2", "text 3", "text 4"]
    assert third["cursor"] is None


def test_no_more_chunks_are_read_than_a_page_takes(service: Service) -> None:
    record = service.add("a.pdf")
    for ordinal in range(500):
        service.chunk_of(record, ordinal)
    page = service.call("GET", f"/{record.document_id}/chunks?limit=10").json()
    assert service.reader.read == 11
    service.call("GET", f"/{record.document_id}/chunks?limit=10&cursor={page['cursor']}")
    assert service.reader.read == 22


def test_only_the_current_version_s_chunks_are_shown(service: Service) -> None:
    record = service.add("a.pdf")
    service.chunk_of(record, 0, version="older")
    shown = service.chunk_of(record, 0)
    service.chunk_of(record, 1, version="being-written")
    chunks = service.call("GET", f"/{record.document_id}/chunks").json()["chunks"]
    assert [chunk["chunk_id"] for chunk in chunks] == [shown.chunk_id]
    assert {"text", "ordinal", "kind", "page_from", "char_from", "section_path", "metadata"} <= set(chunks[0])
    assert not {"acl", "version"} & set(chunks[0])


def test_what_is_not_quotable_has_no_chunks(service: Service) -> None:
    record = service.add("a.pdf")
    service.chunk_of(record, 0)
    service.registry.records[record.document_id] = replace(record, version=None)
    assert service.call("GET", f"/{record.document_id}/chunks").json() == {"chunks": [], "cursor": None}


def test_a_history_shows_overwrites_and_deletions(service: Service) -> None:
    record = service.add("a.pdf")
    service.inbox.delete("a.pdf")
    service.inbox.write("a.pdf", b"longer text", "text/plain")
    shown = service.call("GET", f"/{record.document_id}/versions").json()
    assert [(v["size"], v["is_deletion"], v["is_current"]) for v in shown["versions"]] == [
        (11, False, True),
        (0, True, False),
        (4, False, False),
    ]
    assert shown["versions"][0]["modified_at"] == "2026-01-01T00:00:03+00:00"
    assert shown["cursor"] is None


def test_deleting_removes_the_file_and_answers_with_the_document(service: Service) -> None:
    record = service.add("a.pdf")
    response = service.call("DELETE", f"/{record.document_id}")
    assert (response.status_code, response.json()["source"]) == (202, "a.pdf")
    assert list(service.inbox.objects()) == []


def test_reingesting_writes_the_file_anew(service: Service) -> None:
    record = service.add("a.pdf")
    response = service.call("POST", f"/{record.document_id}/reingest")
    assert (response.status_code, response.json()["source"]) == (202, "a.pdf")
    assert len(service.inbox.versions("a.pdf").versions) == 2


def test_a_file_that_is_gone_can_t_be_reingested(service: Service) -> None:
    record = service.add("a.pdf")
    service.inbox.delete("a.pdf")
    response = service.call("POST", f"/{record.document_id}/reingest")
    assert (response.status_code, response.json()["code"]) == (409, "object_gone")
    assert "a.pdf" in response.json()["detail"]


def upload(service: Service, *files: dict[str, Any], groups: Sequence[str] = ()) -> Any:
    return service.call("POST", "", groups, json={"files": list(files)})


def test_uploads_get_a_url_each(service: Service) -> None:
    response = upload(service, {"source": "a/b.pdf"}, {"source": "c.bin", "content_type": "text/plain"})
    assert response.status_code == 200
    first, second = response.json()["uploads"]
    assert first["url"] == "https://bucket/inbox/a/b.pdf?type=application/pdf&seconds=900"
    assert (first["method"], first["headers"]) == ("PUT", {"Content-Type": "application/pdf"})
    assert first["document_id"] == ObjectRef("bucket", "inbox/a/b.pdf").document_id
    assert second["headers"] == {"Content-Type": "text/plain"}
    left = datetime.fromisoformat(first["expires_at"]) - datetime.now(UTC)
    assert timedelta(seconds=890) < left <= timedelta(seconds=900)


def test_a_file_of_unknown_type_is_bytes(service: Service) -> None:
    (given,) = upload(service, {"source": "README"}).json()["uploads"]
    assert given["headers"] == {"Content-Type": "application/octet-stream"}


def test_names_that_can_t_be_documents_are_all_named(service: Service) -> None:
    names = ["/a.txt", "../b.txt", "c/", "d.txt.metadata.json", "fine.txt", "é" * 501]
    response = upload(service, *({"source": name} for name in names))
    assert (response.status_code, response.json()["code"]) == (422, "bad_source")
    detail = response.json()["detail"]
    assert all(repr(name) in detail for name in names if name != "fine.txt")
    assert "fine.txt" not in detail


@pytest.mark.parametrize(
    ("files", "words"),
    [
        ([], "files: List should have at least 1 item"),
        ([{"source": f"{n}.txt"} for n in range(101)], "files: List should have at most 100 items"),
        ([{"source": "a.txt"}, {"source": "a.txt"}], "'a.txt' more than once"),
        ([{"source": "a.txt", "content_type": "text/plain\r\nX: 1"}], "files.0.content_type"),
        ([{"source": "a.txt", "groups": ["crew"]}], "files.0.groups: Extra inputs are not permitted"),
        ([{"source": "a.txt", "acl": "crew"}], "files.0.acl: Input should be a valid list"),
        ([{"source": "a.txt", "acl": [""]}], "files.0.acl.0: String should have at least 1 character"),
        ([{"source": "a.txt", "metadata": {"x": None}}], "files.0.metadata.x"),
        ([{}], "files.0.source: Field required"),
    ],
)
def test_a_wrong_upload_is_a_problem_that_names_the_field(
    service: Service, files: list[dict[str, Any]], words: str
) -> None:
    response = upload(service, *files)
    assert (response.status_code, response.json()["code"]) == (422, "invalid_request")
    assert words in response.json()["detail"]


def test_an_upload_that_is_no_json_says_how_to_send_it(service: Service) -> None:
    response = service.call("POST", "", content=b"files")
    assert (response.status_code, response.json()["code"]) == (415, "unsupported_media_type")


def test_who_may_not_read_a_document_may_not_overwrite_it(service: Service) -> None:
    service.add("board.pdf", acl=("board",))
    service.add("open.pdf")
    response = upload(service, {"source": "board.pdf"}, {"source": "open.pdf"}, groups=["crew"])
    assert (response.status_code, response.json()["code"]) == (409, "source_taken")
    assert "'board.pdf'" in response.json()["detail"]
    assert "'open.pdf'" not in response.json()["detail"]
    assert upload(service, {"source": "board.pdf"}, groups=["board"]).status_code == 200


def sidecar(service: Service, source: str) -> Any:
    content = service.inbox.store.objects.get(ObjectRef("bucket", f"inbox/{source}.metadata.json"))
    return None if content is None else json.loads(content)


def test_title_metadata_and_access_list_of_an_upload_are_there_before_its_file(service: Service) -> None:
    described = {"title": "Fares", "metadata": {"year": 2024, "tags": ["ferry"]}, "acl": ["crew"]}
    files: list[dict[str, Any]] = [{"source": "a.pdf", **described}, {"source": "b.pdf"}]
    assert upload(service, *files, groups=["crew"]).status_code == 200
    assert (sidecar(service, "a.pdf"), sidecar(service, "b.pdf")) == (described, None)


def test_what_an_upload_does_not_say_of_access_stays_as_it_was(service: Service) -> None:
    service.add("crew.pdf", acl=("crew", "board"))
    upload(service, {"source": "crew.pdf"}, groups=["crew"])
    assert sidecar(service, "crew.pdf") == {"acl": ["crew", "board"]}
    upload(service, {"source": "crew.pdf", "title": "Rota"}, groups=["crew"])
    assert sidecar(service, "crew.pdf") == {"title": "Rota", "acl": ["crew", "board"]}
    upload(service, {"source": "crew.pdf", "acl": []}, groups=["crew"])
    assert sidecar(service, "crew.pdf") == {}


@pytest.mark.parametrize(("acl", "groups"), [(["board"], ["crew"]), (["crew"], [])])
def test_nobody_uploads_what_they_could_not_read(service: Service, acl: list[str], groups: list[str]) -> None:
    response = upload(service, {"source": "a.pdf", "acl": acl}, groups=groups)
    assert (response.status_code, response.json()["code"]) == (422, "bad_acl")
    assert "add one of your groups" in response.json()["detail"]
    assert sidecar(service, "a.pdf") is None


def test_metadata_of_an_upload_is_held_against_the_schema_before_anything_is_written(service: Service) -> None:
    service.fakes.schema |= {
        "year": MetadataField(FieldType.NUMBER),
        "office": MetadataField(FieldType.STRING, required=True),
    }
    with service.fakes.client as client:
        service.client = client
        bad = {"source": "b.pdf", "metadata": {"year": "soon", "colour": "red"}}
        response = upload(service, {"source": "a.pdf", "title": "Fares"}, bad)
        assert (response.status_code, response.json()["code"]) == (422, "bad_metadata")
        assert response.json()["detail"] == (
            "'b.pdf': metadata 'year' is 'soon', which is no number; "
            "metadata 'colour' is not declared; declared are office, year."
        )
        assert sidecar(service, "a.pdf") is None
        assert upload(service, {"source": "b.pdf", "metadata": {"year": "2024"}}).status_code == 200


@pytest.mark.parametrize("content", ['{"acl": ["board"]}', "no json"])
def test_a_sidecar_whose_file_is_still_to_come_keeps_others_from_its_name(service: Service, content: str) -> None:
    service.inbox.write("a.pdf.metadata.json", content.encode(), "application/json")
    response = upload(service, {"source": "a.pdf", "acl": []}, groups=["crew"])
    assert (response.status_code, response.json()["code"]) == (409, "source_taken")


@pytest.mark.parametrize(
    "path", ["?limit=0", "?limit=1001", "/x/chunks?limit=201", "/x/chunks?cursor=-1", "/x/versions?limit=0"]
)
def test_page_sizes_are_bounded(service: Service, path: str) -> None:
    assert service.call("GET", path).status_code == 422
