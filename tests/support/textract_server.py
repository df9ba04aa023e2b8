"""Amazon Textract and a bucket for tests: one HTTP server that speaks their protocols on 127.0.0.1.

It recognises what a page's text layer says, so that it finds what a real one would find in a picture of it.
"""

from __future__ import annotations

import base64
import json
import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from io import BytesIO
from typing import Any, Self, cast

import boto3
from botocore.config import Config
from pypdf import PageObject, PdfReader

PAGE_SIZE = 3
"""Blocks in one part of a job's result."""


@dataclass
class TextractServer:
    """`failures` are the error codes that the next calls end with; a job is `slow` for so many questions."""

    calls: list[str] = field(default_factory=list[str])
    objects: dict[str, bytes] = field(default_factory=dict[str, bytes])
    jobs: dict[str, list[Mapping[str, Any]]] = field(default_factory=dict[str, list[Mapping[str, Any]]])
    failures: list[str] = field(default_factory=list[str])
    slow: int = 0

    def client(self, service: str) -> Any:
        return cast("Any", boto3).client(
            service,
            endpoint_url=f"http://127.0.0.1:{self._http.server_port}",
            region_name="eu-central-1",
            aws_access_key_id="key",
            aws_secret_access_key="secret",
            config=Config(retries={"total_max_attempts": 1}),
        )

    def answer(self, call: str, given: Mapping[str, Any]) -> tuple[int, Mapping[str, Any]]:
        self.calls.append(call)
        if self.failures:
            return 400, {"__type": self.failures.pop(0), "message": "no"}
        match call:
            case "DetectDocumentText":
                return 200, {"Blocks": list(_blocks(base64.b64decode(given["Document"]["Bytes"])))}
            case "StartDocumentTextDetection":
                place = given["DocumentLocation"]["S3Object"]
                job = given["ClientRequestToken"]
                self.jobs[job] = list(_blocks(self.objects[f"/{place['Bucket']}/{place['Name']}"]))
                return 200, {"JobId": job}
            case _:
                return 200, self._result(given)

    def _result(self, given: Mapping[str, Any]) -> Mapping[str, Any]:
        if self.slow:
            self.slow -= 1
            return {"JobStatus": "IN_PROGRESS"}
        blocks, start = self.jobs[given["JobId"]], int(given.get("NextToken", 0))
        end = start + PAGE_SIZE
        more = {"NextToken": str(end)} if end < len(blocks) else {}
        return {"JobStatus": "SUCCEEDED", "Blocks": blocks[start:end], **more}

    def __enter__(self) -> Self:
        self._http = _Http(("127.0.0.1", 0), _Handler)
        self._http.textract = self
        self._thread = threading.Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.01})
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._http.shutdown()
        self._thread.join()
        self._http.server_close()


class _Http(ThreadingHTTPServer):
    textract: TextractServer


class _Handler(BaseHTTPRequestHandler):
    @property
    def textract(self) -> TextractServer:
        assert isinstance(self.server, _Http)
        return self.server.textract

    def log_message(self, format: str, *args: object) -> None:
        pass

    def do_POST(self) -> None:
        content = self.rfile.read(int(self.headers["Content-Length"]))
        service, _, call = self.headers["X-Amz-Target"].partition(".")
        assert service == "Textract"
        status, reply = self.textract.answer(call, json.loads(content))
        self._send(status, json.dumps(reply).encode())

    def do_PUT(self) -> None:
        self.textract.calls.append("PutObject")
        self.textract.objects[self.path] = self.rfile.read(int(self.headers["Content-Length"]))
        self._send(200, b"")

    def do_DELETE(self) -> None:
        self.textract.calls.append("DeleteObject")
        del self.textract.objects[self.path]
        self._send(204, b"")

    def _send(self, status: int, body: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Type", "application/x-amz-json-1.1")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


def _blocks(document: bytes) -> Iterator[Mapping[str, Any]]:
    for number, page in enumerate(PdfReader(BytesIO(document)).pages, start=1):
        yield {"BlockType": "PAGE", "Page": number}
        yield from (_line(text, x, y, page, number) for text, x, y in _texts(page))


def _texts(page: PageObject) -> list[tuple[str, float, float]]:
    found: list[tuple[str, float, float]] = []

    def visit(text: str, cm: Any, tm: Any, font: Any, size: float) -> None:
        if text.strip():
            found.append((text.strip(), float(tm[4]), float(tm[5])))

    page.extract_text(visitor_text=visit)
    return found


def _line(text: str, x: float, y: float, page: PageObject, number: int) -> Mapping[str, Any]:
    """A box of 100 by 10 points on the line that the text stands on."""
    width, height = float(page.mediabox.width), float(page.mediabox.height)
    corners = [(x, y + 10), (x + 100, y + 10), (x + 100, y), (x, y)]
    polygon = [{"X": left / width, "Y": 1 - bottom / height} for left, bottom in corners]
    return {"BlockType": "LINE", "Page": number, "Text": text, "Geometry": {"Polygon": polygon}}
