"""The API under a real server: what streams, what breaks, and who asks at the same time."""

from __future__ import annotations

import asyncio
import json
import re
import time
from collections.abc import AsyncGenerator, Callable, Generator, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from itertools import chain, islice, repeat
from threading import Event
from typing import Any

import httpx2
import pytest

from ragstone.answering.chat import ChatAnswerer
from ragstone.api.app import make_app
from ragstone.errors import TransientError
from ragstone.ports import ChatModel
from ragstone.types import Evidence, Prompt, Query, TextDelta, TokenUsage
from tests.support.builders import evidence, passage
from tests.support.routes import asking_of
from tests.support.scripted_chat import Part, ScriptedChat
from tests.support.serving import served

QUESTION = {"question": "When does the night ferry run?"}
ASKERS = 20


class Timetable:
    """A retriever whose passage is about the ferry that the question names; it keeps what it was asked."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def retrieve(self, query: Query) -> Evidence:
        self.asked.append(query.question)
        found = re.search(r"\d+", query.question)
        ferry = found.group() if found else "night"
        return evidence(passage(f"Ferry {ferry} runs on Tuesdays, and the fare is {ferry} crowns.", cosine=0.8))


class Quoting:
    """A chat model that quotes its passage, slowly and in small pieces, so that many replies are under way at once."""

    spec = "quoting"

    async def stream(self, prompt: Prompt) -> AsyncGenerator[TextDelta | TokenUsage]:
        found = re.search(r"the fare is (\w+) crowns", prompt.user)
        assert found
        for piece in re.findall(".{1,9}|\n", line(f"The fare is {found[1]} crowns.", found.group())):
            await asyncio.sleep(0.002)
            yield TextDelta(piece)


def line(sentence: str, quote: str) -> str:
    return json.dumps({"sentence": sentence, "passages": [1], "quotes": [quote]}) + "\n"


FIRST = line("The night ferry runs on Tuesdays.", "ferry night runs on tuesdays")
SECOND = line("The fare is night crowns.", "the fare is night crowns")


class Service:
    """The app over one retriever and one chat model, and its URL once it is served."""

    def __init__(self, model: ChatModel) -> None:
        self.retriever = Timetable()
        self.app = make_app(asking_of(self.retriever, ChatAnswerer(model)))
        self.url = ""

    def post(self, content: bytes, content_type: str = "application/json") -> httpx2.Response:
        headers = {"Content-Type": content_type}
        return httpx2.post(f"{self.url}/v1/query", content=content, headers=headers, timeout=30)

    @contextmanager
    def streamed(self, body: dict[str, Any]) -> Generator[Iterator[tuple[str, Any]]]:
        """The events as they come; leaving the context closes the connection."""
        with httpx2.Client(timeout=30) as client, client.stream("POST", f"{self.url}/v1/query", json=body) as response:
            yield events(response)

    def ask(self, body: dict[str, Any]) -> list[tuple[str, Any]]:
        with self.streamed(body) as stream:
            return list(stream)


@pytest.fixture
def start() -> Iterator[Callable[[ChatModel], Service]]:
    """Serves the app with a chat model until the test's end."""
    with ExitStack() as stack:

        def serve(model: ChatModel) -> Service:
            service = Service(model)
            service.url = stack.enter_context(served(service.app))
            return service

        yield serve


Start = Callable[[ChatModel], Service]


def events(response: httpx2.Response) -> Iterator[tuple[str, Any]]:
    """Each event as soon as it has come."""
    name = ""
    for text in response.iter_lines():
        field, _, value = text.partition(": ")
        if field == "event":
            name = value
        elif field == "data":
            yield name, json.loads(value)


def names(found: Iterable[tuple[str, Any]]) -> list[str]:
    return [name for name, _ in found]


def test_a_sentence_is_sent_before_the_next_one_is_written(start: Start) -> None:
    written = Event()
    with start(ScriptedChat([[FIRST, written, SECOND]])).streamed(QUESTION) as stream:
        assert names(islice(stream, 3)) == ["meta", "sources", "sentence"]
        written.set()
        assert names(stream) == ["sentence", "telemetry", "done"]


def test_the_sources_are_sent_before_the_model_writes(start: Start) -> None:
    written = Event()
    with start(ScriptedChat([[written, FIRST]])).streamed(QUESTION) as stream:
        assert names(islice(stream, 2)) == ["meta", "sources"]
        written.set()
        assert names(stream) == ["sentence", "telemetry", "done"]


@pytest.mark.parametrize(
    "rest", [[Event()], repeat(FIRST)], ids=["while the model is silent", "while the model writes on and on"]
)
def test_a_client_that_leaves_stops_the_model(start: Start, rest: list[Part]) -> None:
    model = ScriptedChat([chain([FIRST], rest)])
    with start(model).streamed(QUESTION) as stream:
        assert names(islice(stream, 3)) == ["meta", "sources", "sentence"]
        assert model.closed == 0
    deadline = time.monotonic() + 1
    while not model.closed and time.monotonic() < deadline:
        time.sleep(0.01)
    assert model.closed == 1


def test_many_askers_at_once_get_each_their_own_answer(start: Start) -> None:
    service = start(Quoting())
    questions = [{"question": f"What is the fare of ferry {number}?"} for number in range(ASKERS)]
    with ThreadPoolExecutor(ASKERS) as pool:
        found = list(pool.map(service.ask, questions))
    assert [names(each) for each in found] == [["meta", "sources", "sentence", "telemetry", "done"]] * ASKERS
    assert [each[-1][1]["answer"] for each in found] == [f"The fare is {n} crowns." for n in range(ASKERS)]
    assert len({each[0][1]["trace_id"] for each in found}) == ASKERS


@pytest.mark.parametrize(
    ("error", "code"),
    [(TransientError("the model is overloaded"), "temporarily_unavailable"), (RuntimeError("secret"), "internal")],
)
def test_an_error_after_the_first_byte_is_the_one_last_event(start: Start, error: Exception, code: str) -> None:
    service = start(ScriptedChat([[FIRST, error], [FIRST]]))
    found = service.ask(QUESTION)
    assert names(found) == ["meta", "sources", "sentence", "error"]
    assert found[-1][1]["code"] == code
    assert found[-1][1]["trace_id"] == found[0][1]["trace_id"]
    assert "secret" not in json.dumps(found)
    assert names(service.ask(QUESTION))[-1] == "done"


@pytest.mark.parametrize(
    ("written", "understood"),
    [
        (r"Night \ud83d ferry", "Night � ferry"),
        (r"Night \udea2\ud83d ferry", "Night �� ferry"),
        (r"Night \u0000 ferry", "Night � ferry"),
        (r"Night \ud83d\udea2 ferry", "Night 🚢 ferry"),
    ],
)
def test_what_no_text_can_hold_is_replaced_in_a_question(start: Start, written: str, understood: str) -> None:
    service = start(ScriptedChat([[FIRST]]))
    response = service.post(f'{{"question": "{written}", "stream": false}}'.encode())
    assert (response.status_code, response.json()["answer"]) == (200, "The night ferry runs on Tuesdays.")
    assert service.retriever.asked == [understood]


DEEP = b"[" * 100_000 + b"]" * 100_000


@pytest.mark.parametrize(
    ("content", "status", "code"),
    [
        (b'{"question": ', 422, "invalid_request"),
        (b"", 422, "invalid_request"),
        (b"null", 422, "invalid_request"),
        (b'"question"', 422, "invalid_request"),
        (b'{"question": 5}', 422, "invalid_request"),
        (b'{"question": "\xff"}', 400, "bad_request"),
        (b'{"question": "x", "top_k": NaN}', 422, "invalid_request"),
        (b'{"question": "x", "top_k": ' + b"9" * 10_000 + b"}", 400, "bad_request"),
        (b'{"question": "x", "\\ud83d": 1}', 422, "invalid_request"),
        (rb'{"question": "x", "filters": [{"field": "\ud83d", "op": "eq", "value": 1}]}', 422, "unknown_field"),
        (rb'{"question": "x", "filters": [{"field": "kind", "op": "\ud83d", "value": 1}]}', 422, "unknown_op"),
        (rb'{"question": "x", "filters": [{"field": "kind", "op": "gt", "value": "\ud83d"}]}', 422, "bad_value"),
        (b'{"question": "x", "filters": [{"field": "kind", "op": "eq", "value": NaN}]}', 422, "bad_value"),
        (DEEP, 400, "bad_request"),
        (b'{"question": ' + DEEP + b"}", 400, "bad_request"),
        (json.dumps({"question": "x" * 9_000_000}).encode(), 422, "invalid_request"),
        (json.dumps({"question": "x" * 20_000_000}).encode(), 413, "too_large"),
    ],
    ids=range(17),
)
def test_a_broken_request_is_a_problem_of_its_sender(start: Start, content: bytes, status: int, code: str) -> None:
    response = start(ScriptedChat([])).post(content)
    assert (response.status_code, response.json()["code"]) == (status, code)
    assert response.headers["content-type"] == "application/problem+json"
    assert response.json()["detail"]
    assert len(response.content) < 2_000


@pytest.mark.parametrize("content_type", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data"])
def test_another_content_type_is_a_problem_of_its_sender(start: Start, content_type: str) -> None:
    response = start(ScriptedChat([])).post(json.dumps(QUESTION).encode(), content_type)
    assert (response.status_code, response.json()["code"]) == (415, "unsupported_media_type")
    assert response.headers["content-type"] == "application/problem+json"
    assert "Content-Type: application/json" in response.json()["detail"]
