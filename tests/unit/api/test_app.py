from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from starlette.testclient import TestClient

from ragstone.answering.chat import ChatAnswerer
from ragstone.api.app import make_app
from ragstone.errors import PermanentError, TransientError
from ragstone.types import Evidence, Query
from tests.support.builders import evidence, passage
from tests.support.routes import asking_of
from tests.support.scripted_chat import ScriptedChat

TRUE = '{"sentence": "It runs on Tuesdays.", "passages": [1], "quotes": ["night ferry runs on Tuesdays"]}\n'
QUESTION = {"question": "When does the night ferry run?"}


class Recorder:
    """A retriever that keeps what it was asked and fails when told to."""

    def __init__(self) -> None:
        self.asked: list[Query] = []
        self.failure: Exception | None = None

    def retrieve(self, query: Query) -> Evidence:
        self.asked.append(query)
        if self.failure:
            raise self.failure
        return evidence(passage("The night ferry runs on Tuesdays only.", cosine=0.8))


class Service:
    """The app over fakes, and what stands behind it."""

    def __init__(self) -> None:
        self.retriever = Recorder()
        self.model = ScriptedChat([[TRUE]])
        app = make_app(asking_of(self.retriever, ChatAnswerer(self.model)))
        self.client = TestClient(app, raise_server_exceptions=False)

    def ask(self, body: dict[str, Any], **headers: str) -> Any:
        return self.client.post("/v1/query", json=body, headers=headers)


@pytest.fixture
def service() -> Iterator[Service]:
    made = Service()
    with made.client:
        yield made


def events(text: str) -> list[tuple[str, Any]]:
    blocks = [dict(line.split(": ", 1) for line in block.splitlines()) for block in text.strip().split("\n\n")]
    return [(block["event"], json.loads(block["data"])) for block in blocks]


def test_an_answer_streams_as_events_that_end_in_done(service: Service) -> None:
    response = service.ask(QUESTION)
    assert response.headers["content-type"].startswith("text/event-stream")
    found = events(response.text)
    assert [name for name, _ in found] == ["meta", "sources", "sentence", "telemetry", "done"]
    assert found[-1][1]["answer"] == "It runs on Tuesdays."
    assert found[-1][1]["citations"][0]["quote"] == "night ferry runs on Tuesdays"


def test_an_answer_in_one_piece_has_the_same_fields(service: Service) -> None:
    body = service.ask({**QUESTION, "stream": False}).json()
    about = {"answer_id", "conversation_id", "refused", "refusal", "confidence"}
    assert set(body) == {"answer", "citations", "sources", "telemetry", *about}
    assert body["refused"] is False
    assert body["telemetry"]["tokens"] == {"scripted": {"input": 100, "output": 20}}
    assert "retrieve" in body["telemetry"]["stages_ms"]


def test_a_refusal_is_a_result(service: Service) -> None:
    service.model.replies = [[""]]
    response = service.ask({**QUESTION, "stream": False})
    assert response.status_code == 200
    body = response.json()
    assert (body["refused"], body["refusal"]["reason"], body["citations"]) == (True, "uncited", [])


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ({"question": ""}, "question: String should have at least 1 character"),
        ({"question": "   "}, "question: String should have at least 1 character"),
        ({"question": "x" * 20_000}, "question: String should have at most 4000 characters"),
        ({"question": "x", "top_k": 0}, "top_k"),
        ({"question": "x", "colour": "red"}, "colour: Extra inputs are not permitted"),
        ({}, "question: Field required"),
    ],
)
def test_a_wrong_request_is_a_problem_that_names_the_field(service: Service, body: dict[str, Any], words: str) -> None:
    response = service.ask(body)
    assert response.status_code == 422
    assert response.headers["content-type"] == "application/problem+json"
    assert response.json()["code"] == "invalid_request"
    assert words in response.json()["detail"]


@pytest.mark.parametrize(
    ("condition", "code", "known"),
    [
        ({"field": "colour", "op": "eq", "value": "red"}, "unknown_field", "metadata."),
        ({"field": "source", "op": "like", "value": "a"}, "unknown_op", "contains"),
    ],
)
def test_an_unknown_filter_is_a_problem_that_lists_the_known_ones(
    service: Service, condition: dict[str, Any], code: str, known: str
) -> None:
    response = service.ask({**QUESTION, "filters": [condition]})
    assert (response.status_code, response.json()["code"]) == (422, code)
    assert known in response.json()["detail"]


@pytest.mark.parametrize(
    ("failure", "status", "code"),
    [
        (TransientError("OpenSearch is busy"), 503, "temporarily_unavailable"),
        (PermanentError("no such model"), 502, "service_refused"),
        (RuntimeError("secret detail"), 500, "internal"),
    ],
)
@pytest.mark.parametrize("stream", [True, False])
def test_what_fails_before_the_first_byte_has_a_status(
    service: Service, failure: Exception, status: int, code: str, stream: bool
) -> None:
    service.retriever.failure = failure
    response = service.ask({**QUESTION, "stream": stream})
    assert (response.status_code, response.json()["code"]) == (status, code)
    assert "secret" not in response.text


def test_what_fails_after_the_first_byte_ends_in_one_error_event(service: Service) -> None:
    service.model.replies = [[TRUE, TransientError("the model is overloaded")]]
    found = events(service.ask(QUESTION).text)
    assert [name for name, _ in found] == ["meta", "sources", "sentence", "error"]
    assert found[-1][1]["code"] == "temporarily_unavailable"


def test_groups_come_from_the_authorizer_and_never_from_the_body(service: Service) -> None:
    context = {"authorizer": {"claims": {"cognito:groups": "crew,board"}}}
    service.ask(QUESTION, **{"x-amzn-request-context": json.dumps(context)})
    assert service.retriever.asked[0].groups == ("crew", "board")
    assert service.ask({**QUESTION, "groups": ["board"]}).status_code == 422


def test_without_an_authorizer_there_are_no_groups(service: Service) -> None:
    service.ask(QUESTION)
    assert service.retriever.asked[0].groups == ()


def test_an_unknown_route_is_a_problem(service: Service) -> None:
    response = service.client.get("/v2")
    assert (response.status_code, response.json()["code"]) == (404, "not_found")
