"""The command's side of the HTTP API, against the real app and against servers that misbehave."""

from __future__ import annotations

import json
from collections.abc import Iterable
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread
from typing import Any

import pytest

from ragstone.answering.chat import ChatAnswerer
from ragstone.api.app import make_app
from ragstone.cli.api import Api
from ragstone.cli.environment import Environment
from ragstone.cli.local.running import Running, free_port
from ragstone.errors import InvalidQuery, RagstoneError, TransientError
from ragstone.types import DocumentRecord, DocumentStatus, Evidence, Query
from tests.support.builders import evidence, passage
from tests.support.routes import FakeService, asking_of
from tests.support.scripted_chat import Part, ScriptedChat
from tests.support.serving import served

TRUE = '{"sentence": "It runs on Tuesdays.", "passages": [1], "quotes": ["night ferry runs on Tuesdays"]}\n'
QUESTION = {"question": "When does the night ferry run?"}
META = b'event: meta\ndata: {"trace_id": "7"}\n\n'


class Found:
    def retrieve(self, query: Query) -> Evidence:
        text = "The night ferry runs on Tuesdays only. It runs on Tuesdays. 夜の渡し船 🚢 fährt on Tuesdays."
        return evidence(passage(text, cosine=0.8))


def api_at(url: str) -> Api:
    """The API of a local environment at this URL."""
    environment = Environment("local")
    environment.__dict__["local"] = Running(0, "", url)
    return Api(environment)


def events(reply: Iterable[Part], body: dict[str, Any]) -> list[tuple[str, Any]]:
    """What the command sees of the real app's answer."""
    with served(make_app(asking_of(Found(), ChatAnswerer(ScriptedChat([reply]))))) as url:
        return list(api_at(url).ask(body))


def test_an_answer_comes_as_events_until_done() -> None:
    found = events([TRUE], QUESTION)
    assert [name for name, _ in found] == ["meta", "sources", "sentence", "telemetry", "done"]
    assert found[-1][1]["answer"] == "It runs on Tuesdays."


@pytest.mark.parametrize(
    "words", ["夜の渡し船 🚢 fährt", "It\u2028runs", "It\u2029\x85runs", r"It\r\nruns\u000b\f\u001c"]
)
def test_any_text_comes_through(words: str) -> None:
    found = events([TRUE.replace("It runs", words).replace("night ferry runs", words)], QUESTION)
    assert found[-1][1]["answer"] == json.loads(f'"{words} on Tuesdays."')


def test_a_problem_is_its_message() -> None:
    with pytest.raises(InvalidQuery, match="at most 4000 characters") as caught:
        events([], {"question": "x" * 5_000})
    assert caught.value.code == "invalid_request"


def test_an_error_event_is_raised_with_its_code_and_trace() -> None:
    with pytest.raises(RagstoneError, match=r"^the model is overloaded \(code temporarily_unavailable, trace \w+\)$"):
        events([TRUE, TransientError("the model is overloaded")], QUESTION)


def test_all_pages_of_the_documents_are_read() -> None:
    fakes = FakeService()
    for number in range(230):
        record = DocumentRecord(f"{number}", "b", f"inbox/{number:03d}.txt", "1", DocumentStatus.INDEXED)
        fakes.registry.records[record.document_id] = record
    with served(fakes.app) as url:
        sources = [row["source"] for row in api_at(url).documents()]
    assert sources == [f"{number:03d}.txt" for number in range(230)]


def test_where_nobody_listens_the_message_asks_whether_it_runs() -> None:
    with pytest.raises(TransientError, match=r"/v1/query does not answer .* is the environment running\?"):
        list(api_at(f"http://127.0.0.1:{free_port()}").ask(QUESTION))


def answered(content: bytes, *, status: int = 200, length: int | None = None) -> list[tuple[str, Any]]:
    """What the command sees of a server that says this, having promised `length` bytes."""

    class Handler(BaseHTTPRequestHandler):
        def log_message(self, format: str, *args: object) -> None:
            pass

        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["Content-Length"]))
            self.send_response(status)
            self.send_header("Content-Length", str(len(content) if length is None else length))
            self.end_headers()
            self.wfile.write(content)

    with HTTPServer(("127.0.0.1", 0), Handler) as server:
        Thread(target=server.handle_request).start()
        return list(api_at(f"http://127.0.0.1:{server.server_port}").ask(QUESTION))


@pytest.mark.parametrize("length", [len(META), len(META) + 100], ids=["that ends early", "that is cut off"])
def test_a_stream_without_its_end_is_a_broken_one(length: int) -> None:
    with pytest.raises(TransientError, match="the answer broke off before its end; ask again"):
        answered(META, length=length)


@pytest.mark.parametrize("content", [b'{"message": "Missing Authentication Token"}', b"<html>Forbidden</html>", b"[1]"])
def test_what_is_no_problem_of_ours_is_shown_as_it_is(content: bytes) -> None:
    with pytest.raises(RagstoneError, match="answered 403") as caught:
        answered(content, status=403)
    assert content.decode() in str(caught.value)
