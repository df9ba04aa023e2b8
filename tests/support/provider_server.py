"""A model provider for tests: one HTTP server that speaks OpenAI, Anthropic and Bedrock and follows a script."""

from __future__ import annotations

import json
import os
import select
import socket
import sys
import threading
from collections import deque
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

from ragstone.models.compatible import SERVERS
from tests.support.provider_dialects import Anthropic, Chat, Dialect, Failure, Raw, Reply, dialect_of
from tests.support.rerank_dialects import is_rerank, reranked


@dataclass
class Request:
    """A request as it came; `left` is set once its caller has hung up before the end of the reply."""

    path: str
    headers: Mapping[str, str]
    body: dict[str, Any]
    left: threading.Event = field(default_factory=threading.Event)


class ProviderServer:
    """Plays enqueued replies in order; without one, embeds texts by `vector_of` and chats with `Chat()`.

    `with ProviderServer() as server:` listens on a free port of 127.0.0.1.
    """

    def __init__(self) -> None:
        self.requests: list[Request] = []
        self._replies: deque[Reply] = deque()
        self._http = _Http(("127.0.0.1", 0), _Handler)
        self._http.provider = self
        self._thread = threading.Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.01})

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._http.server_port}"

    def enqueue(self, *replies: Reply) -> None:
        self._replies.extend(replies)

    def environment(self) -> dict[str, str]:
        """The variables that turn each SDK to this server."""
        return {
            **{server.url_variable: f"{self.url}{server.path or '/v1'}" for server in SERVERS.values()},
            **{server.key_variable: "key" for server in SERVERS.values()},
            "ANTHROPIC_BASE_URL": self.url,
            "ANTHROPIC_API_KEY": "key",
            "AWS_ENDPOINT_URL_BEDROCK_RUNTIME": self.url,
            "AWS_DEFAULT_REGION": "eu-central-1",
            "AWS_ACCESS_KEY_ID": "key",
            "AWS_SECRET_ACCESS_KEY": "secret",
            "AWS_CONFIG_FILE": os.devnull,
        }

    def next_reply(self) -> Reply | None:
        return self._replies.popleft() if self._replies else None

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._http.shutdown()
        self._thread.join()
        for connection in list(self._http.connections):
            with suppress(OSError):  # closed in the meantime
                connection.shutdown(socket.SHUT_RDWR)
        self._http.server_close()


class _Http(ThreadingHTTPServer):
    daemon_threads = False
    provider: ProviderServer

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.connections: set[socket.socket] = set()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A caller that hangs up is what some tests are about."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    @property
    def http(self) -> _Http:
        assert isinstance(self.server, _Http)
        return self.server

    def setup(self) -> None:
        super().setup()
        self.http.connections.add(self.connection)

    def finish(self) -> None:
        self.http.connections.discard(self.connection)
        super().finish()

    def log_message(self, format: str, *args: object) -> None:
        pass

    def do_POST(self) -> None:
        content = self.rfile.read(int(self.headers["Content-Length"]))
        request = Request(self.path, {name.lower(): value for name, value in self.headers.items()}, json.loads(content))
        self.http.provider.requests.append(request)
        dialect = dialect_of(self.path)
        match self.http.provider.next_reply():
            case Failure() as failure:
                self._fail(dialect, failure)
            case Raw(body, content_type):
                self._send(200, {"Content-Type": content_type}, body.encode())
            case Chat() as chat:
                self._stream(dialect, chat, request)
            case None if is_rerank(self.path):
                self._send(200, {}, json.dumps(reranked(self.path, request.body)).encode())
            case None if self.path.endswith(("/embeddings", "/invoke")):
                assert not isinstance(dialect, Anthropic)
                self._send(200, {}, json.dumps(dialect.embeddings(self.path, request.body)).encode())
            case None:
                self._stream(dialect, Chat(), request)

    def _fail(self, dialect: Dialect, failure: Failure) -> None:
        headers, body = dialect.failure(failure)
        if failure.retry_after is not None:
            headers |= {"Retry-After": str(failure.retry_after)}
        self._send(failure.status, headers, json.dumps(body).encode())

    def _send(self, status: int, headers: Mapping[str, str], body: bytes) -> None:
        self.send_response(status)
        for name, value in {"Content-Type": "application/json", **headers, "Content-Length": str(len(body))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def _stream(self, dialect: Dialect, chat: Chat, request: Request) -> None:
        self.send_response(200)
        self.send_header("Content-Type", dialect.content_type)
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        try:
            if not (chat.late and self._idle(dialect.sign_of_life, chat, request)):
                self._send_chunks(dialect.events(chat), chat, request)
        except (BrokenPipeError, ConnectionResetError):
            request.left.set()
        self.close_connection = chat.broken or request.left.is_set()

    def _idle(self, sign_of_life: bytes, chat: Chat, request: Request) -> bool:
        """Let a stream's first event wait; whether the caller hung up meanwhile."""
        for _ in range(20):
            if sign_of_life:
                self._send_chunk(sign_of_life)
            if _hung_up(self.connection, wait=chat.delay / 20):
                request.left.set()
                return True
        return False

    def _send_chunk(self, chunk: bytes) -> None:
        self.wfile.write(f"{len(chunk):x}\r\n".encode() + chunk + b"\r\n")

    def _send_chunks(self, chunks: Iterator[bytes], chat: Chat, request: Request) -> None:
        for chunk in chunks:
            self._send_chunk(chunk)
            if _hung_up(self.connection, wait=chat.delay):
                request.left.set()
                return
        if not chat.broken:
            self.wfile.write(b"0\r\n\r\n")


def _hung_up(connection: socket.socket, *, wait: float) -> bool:
    """Whether the other side closes the connection within `wait` seconds."""
    readable, _, _ = select.select([connection], [], [], wait)
    return bool(readable) and not connection.recv(1, socket.MSG_PEEK)
