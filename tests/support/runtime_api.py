"""Lambda's Runtime and Extensions API, so that a deployed function's own start-up can be run and invoked by tests.

See https://docs.aws.amazon.com/lambda/latest/dg/runtimes-api.html and …/runtimes-extensions-api.html.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from queue import Empty, Queue
from typing import Any, Self
from uuid import uuid4

DELIMITER = b"\0" * 8
"""Ends the prelude, the JSON with status and headers before a streamed response's body."""

PATIENCE_S = 60
FUNCTION_ARN = "arn:aws:lambda:eu-central-1:111122223333:function:query"


@dataclass
class Reply:
    """What the function answers to one event, piece by piece as it comes."""

    request_id: str = field(default_factory=lambda: uuid4().hex)
    mode: str | None = None
    pieces: Queue[bytes | None] = field(default_factory=Queue[bytes | None])
    error: Mapping[str, Any] | None = None

    @cached_property
    def prelude(self) -> dict[str, Any]:
        """Status, headers and cookies; waits until the response begins."""
        head = b""
        while DELIMITER not in head:
            piece = self.pieces.get(timeout=PATIENCE_S)
            assert piece is not None, f"no response but {self.error}"
            head += piece
        prelude, _, self._rest = head.partition(DELIMITER)
        return json.loads(prelude)

    def __iter__(self) -> Iterator[bytes]:
        """The pieces of the body, each as soon as it has come."""
        assert self.prelude
        if self._rest:
            yield self._rest
        while (piece := self.pieces.get(timeout=PATIENCE_S)) is not None:
            yield piece

    @property
    def status(self) -> int:
        return self.prelude["statusCode"]

    def json(self) -> Any:
        return json.loads(b"".join(self))


class RuntimeApi:
    """Hands events to whatever asks for them; `with RuntimeApi() as api:` listens on a free port of 127.0.0.1."""

    def __init__(self) -> None:
        self.extensions: list[str] = []
        self.events: Queue[tuple[str, bytes]] = Queue()
        self.replies: dict[str, Reply] = {}
        self.closing = threading.Event()
        self._http = _Http(("127.0.0.1", 0), _Handler)
        self._http.api = self
        self._thread = threading.Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.01})

    @property
    def address(self) -> str:
        return f"127.0.0.1:{self._http.server_port}"

    def invoke(self, event: Mapping[str, Any]) -> Reply:
        reply = Reply()
        self.replies[reply.request_id] = reply
        self.events.put((reply.request_id, json.dumps(event).encode()))
        return reply

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.closing.set()
        self._http.shutdown()
        self._thread.join()
        self._http.server_close()


class _Http(ThreadingHTTPServer):
    api: RuntimeApi


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    @property
    def api(self) -> RuntimeApi:
        assert isinstance(self.server, _Http)
        return self.server.api

    def log_message(self, format: str, *args: object) -> None:
        pass

    def do_GET(self) -> None:
        if self.path == "/2018-06-01/runtime/invocation/next":
            self._next_event()
        else:
            assert self.path == "/2020-01-01/extension/event/next"
            self.api.closing.wait()
        self.close_connection = self.api.closing.is_set()

    def _next_event(self) -> None:
        while not self.api.closing.is_set():
            try:
                request_id, event = self.api.events.get(timeout=0.1)
            except Empty:
                continue
            headers = {
                "Lambda-Runtime-Aws-Request-Id": request_id,
                "Lambda-Runtime-Deadline-Ms": str(round((time.time() + PATIENCE_S) * 1000)),
                "Lambda-Runtime-Invoked-Function-Arn": FUNCTION_ARN,
            }
            self._send(200, headers, event)
            return

    def do_POST(self) -> None:
        match self.path.strip("/").split("/"):
            case ["2020-01-01", "extension", "register"]:
                self._body()
                self.api.extensions.append(self.headers["Lambda-Extension-Name"])
                self._send(200, {"Lambda-Extension-Identifier": uuid4().hex}, b"{}")
            case ["2018-06-01", "runtime", "invocation", request_id, "response"]:
                self._take_response(self.api.replies[request_id])
            case ["2018-06-01", "runtime", "invocation", request_id, "error"]:
                reply = self.api.replies[request_id]
                reply.error = json.loads(self._body())
                reply.pieces.put(None)
                self._send(202, {}, b"{}")
            case _:
                self._send(404, {}, b"{}")

    def _take_response(self, reply: Reply) -> None:
        reply.mode = self.headers["Lambda-Runtime-Function-Response-Mode"]
        for piece in self._pieces():
            reply.pieces.put(piece)
        reply.pieces.put(None)
        self._send(202, {}, b"{}")

    def _pieces(self) -> Iterator[bytes]:
        """The body's chunks, as they were sent."""
        while size := int(self.rfile.readline(), 16):
            yield self.rfile.read(size)
            self.rfile.readline()
        while self.rfile.readline().strip():
            pass

    def _body(self) -> bytes:
        return self.rfile.read(int(self.headers["Content-Length"]))

    def _send(self, status: int, headers: Mapping[str, str], body: bytes) -> None:
        self.send_response(status)
        for name, value in {**headers, "Content-Type": "application/json", "Content-Length": str(len(body))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)
