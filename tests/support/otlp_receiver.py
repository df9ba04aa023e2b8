"""An OpenTelemetry collector for tests: takes traces over OTLP/HTTP and keeps them decoded."""

from __future__ import annotations

import gzip
import threading
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.common.v1.common_pb2 import KeyValue
from opentelemetry.proto.trace.v1.trace_pb2 import Span


@dataclass
class OtlpReceiver:
    """`with OtlpReceiver() as collector:` listens on a free port; with a `status` of 500 it takes nothing.

    It answers once `gate` is set.
    """

    status: int = 200
    paths: list[str] = field(default_factory=list[str])
    requests: list[ExportTraceServiceRequest] = field(default_factory=list[ExportTraceServiceRequest])
    gate: threading.Event = field(default_factory=threading.Event)

    def __post_init__(self) -> None:
        self.gate.set()
        self._http = _Http(("127.0.0.1", 0), _Handler)
        self._http.receiver = self
        self._thread = threading.Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.01})

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._http.server_port}"

    @property
    def spans(self) -> list[Span]:
        return [
            span for request in self.requests for r in request.resource_spans for s in r.scope_spans for span in s.spans
        ]

    @property
    def resource(self) -> dict[str, Any]:
        return attributes(self.requests[0].resource_spans[0].resource.attributes)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.gate.set()
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()


def attributes(pairs: Any) -> dict[str, Any]:
    """Names to plain values."""
    return {pair.key: _plain(pair) for pair in pairs}


def _plain(pair: KeyValue) -> Any:
    kind = pair.value.WhichOneof("value")
    return getattr(pair.value, kind) if kind else None


class _Http(ThreadingHTTPServer):
    receiver: OtlpReceiver


class _Handler(BaseHTTPRequestHandler):
    server: _Http  # pyright: ignore[reportIncompatibleVariableOverride]

    def do_POST(self) -> None:
        receiver = self.server.receiver
        body = self.rfile.read(int(self.headers["content-length"]))
        receiver.gate.wait(10)
        if self.headers.get("content-encoding") == "gzip":
            body = gzip.decompress(body)
        receiver.paths.append(self.path)
        if receiver.status == 200:
            receiver.requests.append(ExportTraceServiceRequest.FromString(body))
        self.send_response(receiver.status)
        self.send_header("content-length", "0")
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:
        """Nothing: tests look at what was received."""
