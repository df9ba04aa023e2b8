from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from starlette.testclient import TestClient

from ragstone.api.structured import MOST_ROWS
from ragstone.types import INBOX, SIDECAR_SUFFIX, ObjectRef
from tests.support.routes import FakeService, caller

STOPS = "id,name,description,fare\nK1,Kelp Pier,The night ferry lies here.,3\nH1,Heron Yard,The trams sleep here.,4\n"


class Service:
    """The routes over fakes."""

    def __init__(self, client: TestClient, fakes: FakeService) -> None:
        self.client, self.add, self.inbox = client, fakes.add, fakes.inbox

    def post(self, route: str, body: Any, groups: Sequence[str] = ()) -> Any:
        return self.client.post(f"/v1/structured/{route}", json=body, headers=caller(groups))

    def sources(self) -> list[str]:
        return [found.source for found in self.inbox.objects()]

    def text(self, source: str) -> str:
        return self.inbox.store.objects[ObjectRef(self.inbox.bucket, INBOX + source)].decode()


@pytest.fixture
def service() -> Iterator[Service]:
    fakes = FakeService()
    with fakes.client as client:
        yield Service(client, fakes)


def test_a_preview_shows_format_columns_rows_and_a_proposal(service: Service) -> None:
    found = service.post("preview", {"content": STOPS}).json()
    assert (found["format"], found["encoding"], found["rows_looked_at"]) == ("csv", "utf-8", 2)
    assert {column["name"]: column["type"] for column in found["columns"]} == {
        "id": "string",
        "name": "string",
        "description": "string",
        "fare": "number",
    }
    assert found["rows"][0] == {
        "id": "K1",
        "name": "Kelp Pier",
        "description": "The night ferry lies here.",
        "fare": "3",
    }
    assert found["proposal"] == {
        "template": "{name}: {description}\nid: {id}\nfare: {fare}",
        "metadata": ["fare"],
        "id": "id",
        "title": "name",
    }
    assert service.sources() == []


@pytest.mark.parametrize(
    ("content", "format_"), [('[{"a": [1, 2]}]', "json"), ('{"a": [1, 2]}\n{"a": [3]}\n', "jsonl")]
)
def test_json_and_json_lines_are_tables_too(service: Service, content: str, format_: str) -> None:
    found = service.post("preview", {"content": content}).json()
    assert (found["format"], found["columns"][0]["type"]) == (format_, "list")


def test_a_preview_names_bad_rows(service: Service) -> None:
    found = service.post("preview", {"content": "a,b\n1,2\n3\n"}).json()
    assert found["bad_rows"] == [{"number": 2, "reason": "it has 1 cells, and the header has 2", "line": None}]


def test_a_document_of_the_inbox_can_be_looked_at_by_those_who_may_read_it(service: Service) -> None:
    service.add("stops.csv", content=STOPS.encode(), acl=("crew",))
    assert service.post("preview", {"source": "stops.csv"}, ["crew"]).json()["rows_looked_at"] == 2
    hidden = service.post("preview", {"source": "stops.csv"}, ["board"])
    missing = service.post("preview", {"source": "none.csv"}, ["board"])
    for response in (hidden, missing):
        assert (response.status_code, response.json()["code"]) == (404, "unknown_document")


@pytest.mark.parametrize(
    ("body", "code", "words"),
    [
        ({}, "invalid_request", "either content or source"),
        ({"content": "a\n1", "source": "a.csv"}, "invalid_request", "either content or source"),
        ({"content": "x" * 1_000_001}, "invalid_request", "content: String should have at most 1000000"),
        ({"content": ""}, "no_table", "empty"),
        ({"content": "a,b\n"}, "no_table", "none below the header"),
        ({"source": "../a.csv"}, "bad_source", "'../a.csv'"),
        ({"content": "a\n1", "colour": 1}, "invalid_request", "colour: Extra inputs"),
    ],
)
def test_what_can_t_be_looked_at_says_why(service: Service, body: dict[str, Any], code: str, words: str) -> None:
    response = service.post("preview", body)
    assert (response.status_code, response.json()["code"]) == (422, code)
    assert words in response.json()["detail"]


def test_rows_become_documents(service: Service) -> None:
    response = service.post("commit", {"content": STOPS, "name": "stops"})
    assert response.status_code == 202
    assert response.json() == {
        "folder": "stops",
        "written": 2,
        "bad_count": 0,
        "misfit_count": 0,
        "bad": [],
        "misfits": [],
        "pruned": None,
        "is_original_removed": None,
    }
    assert service.sources() == ["stops/H1.md", "stops/K1.md"]
    assert json.loads(service.text("stops/K1.md" + SIDECAR_SUFFIX)) == {"title": "Kelp Pier", "metadata": {"fare": 3}}


def test_the_caller_s_choices_win(service: Service) -> None:
    body = {"content": STOPS, "name": "stops", "template": "{name}!", "metadata": ["id"], "id": "", "title": "id"}
    service.post("commit", {**body, "acl": ["crew"]}, ["crew"])
    assert service.sources() == ["stops/1.md", "stops/2.md"]
    assert service.text("stops/1.md") == "Kelp Pier!\n"
    sidecar = json.loads(service.text("stops/1.md" + SIDECAR_SUFFIX))
    assert sidecar == {"title": "K1", "metadata": {"id": "K1"}, "acl": ["crew"]}


def test_rows_of_a_document_inherit_its_access_list(service: Service) -> None:
    service.add("stops.csv", content=STOPS.encode(), acl=("crew",))
    service.post("commit", {"source": "stops.csv", "name": "rows", "keep_original": True}, ["crew"])
    assert json.loads(service.text("rows/K1.md" + SIDECAR_SUFFIX))["acl"] == ["crew"]
    service.post("commit", {"source": "stops.csv", "name": "rows", "acl": []}, ["crew"])
    assert "acl" not in json.loads(service.text("rows/K1.md" + SIDECAR_SUFFIX))


@pytest.mark.parametrize("mode", ["rows", "file"])
def test_a_list_that_keeps_its_writer_out_is_refused(service: Service, mode: str) -> None:
    response = service.post("commit", {"content": STOPS, "name": "stops", "mode": mode, "acl": ["board"]}, ["crew"])
    assert (response.status_code, response.json()["code"], service.sources()) == (422, "bad_acl", [])


def test_rows_take_the_place_of_the_document_that_they_come_from(service: Service) -> None:
    service.add("stops.csv", content=STOPS.encode(), acl=("crew",))
    done = service.post("commit", {"source": "stops.csv", "name": "rows"}, ["crew"]).json()
    assert (done["written"], done["is_original_removed"]) == (2, True)
    assert service.sources() == ["rows/H1.md", "rows/K1.md"]


@pytest.mark.parametrize(("content", "more"), [(STOPS, {"keep_original": True}), (f"{STOPS}X1,too short\n", {})])
def test_a_document_stays_beside_its_rows_if_that_is_wished_or_a_row_is_bad(
    service: Service, content: str, more: dict[str, Any]
) -> None:
    service.add("stops.csv", content=content.encode())
    done = service.post("commit", {"source": "stops.csv", "name": "rows", **more}).json()
    assert done["is_original_removed"] is False
    assert service.sources() == ["rows/H1.md", "rows/K1.md", "stops.csv"]


def test_a_file_over_a_document_keeps_its_access_list(service: Service) -> None:
    service.add("stops.csv", acl=("crew",))
    service.post("commit", {"content": STOPS, "name": "stops.csv", "mode": "file"}, ["crew"])
    assert json.loads(service.text("stops.csv" + SIDECAR_SUFFIX)) == {"acl": ["crew"]}
    service.post("commit", {"content": STOPS, "name": "stops.csv", "mode": "file", "acl": ["board", "crew"]}, ["crew"])
    assert json.loads(service.text("stops.csv" + SIDECAR_SUFFIX)) == {"acl": ["board", "crew"]}


def test_rows_keep_the_access_list_of_those_that_they_replace(service: Service) -> None:
    service.add("stops/K1.md", acl=("crew",))
    service.post("commit", {"content": STOPS, "name": "stops"}, ["crew"])
    assert json.loads(service.text("stops/H1.md" + SIDECAR_SUFFIX))["acl"] == ["crew"]
    service.add("stops/H1.md")
    response = service.post("commit", {"content": STOPS, "name": "stops"}, ["crew"])
    assert (response.status_code, response.json()["code"]) == (422, "acl_needed")
    assert service.post("commit", {"content": STOPS, "name": "stops", "acl": []}, ["crew"]).status_code == 202


def test_pruning_removes_gone_rows(service: Service) -> None:
    service.post("commit", {"content": STOPS, "name": "stops"})
    fewer = STOPS.rpartition("H1")[0]
    assert service.post("commit", {"content": fewer, "name": "stops", "prune": True}).json()["pruned"] == 1
    assert service.sources() == ["stops/K1.md"]


def test_bad_rows_are_named_and_the_rest_is_written(service: Service) -> None:
    done = service.post("commit", {"content": "name\nKelp\na,b\nHeron\n", "name": "stops"}).json()
    assert (done["written"], done["bad_count"], done["bad"][0]["number"]) == (2, 1, 2)


@pytest.mark.parametrize("name", ["products", "products.csv"])
def test_a_file_becomes_one_document(service: Service, name: str) -> None:
    response = service.post("commit", {"content": STOPS, "name": name, "mode": "file", "acl": ["crew"]}, ["crew"])
    assert response.status_code == 202
    assert response.json()["source"] == "products.csv"
    assert service.text("products.csv") == STOPS
    assert json.loads(service.text("products.csv" + SIDECAR_SUFFIX)) == {"acl": ["crew"]}


def test_a_file_of_the_inbox_is_one_document_already(service: Service) -> None:
    service.add("stops.csv", content=STOPS.encode())
    response = service.post("commit", {"source": "stops.csv", "name": "stops", "mode": "file"})
    assert (response.status_code, response.json()["code"]) == (422, "already_a_document")


@pytest.mark.parametrize(
    ("changes", "code", "words"),
    [
        ({"name": "../x"}, "bad_source", "'../x'"),
        ({"name": ""}, "bad_source", "is empty"),
        ({"template": "{colour}"}, "unknown_column", "it has 'id', 'name'"),
        ({"template": "{"}, "bad_template", "single brace"),
        ({"metadata": ["colour"]}, "unknown_column", "'colour'"),
        ({"mode": "both"}, "invalid_request", "mode: Input should be 'rows' or 'file'"),
        ({"content": "a\n" + "1\n" * (MOST_ROWS + 1)}, "too_many_rows", "ragstone structured commit"),
    ],
)
def test_what_can_t_be_committed_says_why_and_writes_nothing(
    service: Service, changes: dict[str, Any], code: str, words: str
) -> None:
    response = service.post("commit", {"content": STOPS, "name": "stops", **changes})
    assert (response.status_code, response.json()["code"]) == (422, code)
    assert words in response.json()["detail"]
    assert service.sources() == []


def test_rows_are_not_put_over_documents_that_the_caller_may_not_read(service: Service) -> None:
    service.add("stops/secret.md", acl=("board",))
    service.add("single.csv", acl=("board",))
    for body in ({"name": "stops"}, {"name": "single.csv", "mode": "file"}):
        response = service.post("commit", {"content": STOPS, **body}, ["crew"])
        assert (response.status_code, response.json()["code"]) == (409, "source_taken")
    assert service.post("commit", {"content": STOPS, "name": "stops"}, ["board"]).status_code == 202
    assert service.post("commit", {"content": STOPS, "name": "single", "mode": "file"}, ["board"]).status_code == 202


def test_a_sidecar_that_can_t_be_read_hides_its_table(service: Service) -> None:
    service.add("stops.csv", content=STOPS.encode())
    service.inbox.write("stops.csv" + SIDECAR_SUFFIX, b"no json", "application/json")
    response = service.post("preview", {"source": "stops.csv"})
    assert (response.status_code, response.json()["code"]) == (422, "bad_sidecar")
