"""The command's side of the HTTP API: signed requests, problems as errors, events as they stream."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, urlencode

import httpx2
from botocore.auth import SigV4Auth
from botocore.awsrequest import AWSRequest

from ragstone.cli.environment import Environment
from ragstone.errors import InvalidQuery, RagstoneError, TransientError

TIMEOUT = httpx2.Timeout(300, connect=5)
BROKEN_OFF = "the answer broke off before its end; ask again"


@dataclass(frozen=True, slots=True)
class Api:
    """The API of one environment."""

    environment: Environment

    def ask(self, body: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
        """The answer's events, (name, data), as they arrive; ends with `done` or raises what `error` says."""
        request = self._request("POST", "/v1/query", {**body, "stream": True})
        with httpx2.Client(timeout=TIMEOUT) as client:
            response = _sent(client, request, stream=True)
            try:
                yield from _events(response.iter_lines())
            except httpx2.TransportError as error:
                raise TransientError(BROKEN_OFF) from error
            finally:
                response.close()

    def documents(self, **filters: str) -> Iterator[dict[str, Any]]:
        """Every document's status; `prefix` and `status` narrow them."""
        return self.entries("/v1/documents", "documents", filters)

    def entries(self, path: str, name: str, parameters: Mapping[str, str] | None = None) -> Iterator[dict[str, Any]]:
        """A listing's entries, page after page."""
        given = {key: value for key, value in (parameters or {}).items() if value}
        with httpx2.Client(timeout=TIMEOUT) as client:
            while True:
                query = urlencode(given, quote_via=quote)
                page = _sent(client, self._request("GET", f"{path}?{query}" if query else path)).json()
                yield from page[name]
                if page["cursor"] is None:
                    return
                given["cursor"] = page["cursor"]

    def call(self, method: str, path: str) -> dict[str, Any]:
        """One answer; raises what its problem says."""
        with httpx2.Client(timeout=TIMEOUT) as client:
            return _sent(client, self._request(method, path)).json()

    def _request(self, method: str, path: str, body: Mapping[str, Any] | None = None) -> httpx2.Request:
        url = f"{self.environment.api_url}{path}"
        content = json.dumps(body).encode() if body is not None else b""
        headers = {"Content-Type": "application/json"}
        if not self.environment.is_local:
            headers = self._signed(method, url, content, headers)
        return httpx2.Request(method, url, content=content, headers=headers)

    def _signed(self, method: str, url: str, content: bytes, headers: Mapping[str, str]) -> dict[str, str]:
        session = self.environment.session
        request = AWSRequest(method, url, data=content, headers=dict(headers))
        SigV4Auth(session.get_credentials(), "execute-api", session.region_name).add_auth(request)
        return dict(request.headers.items())


def _sent(client: httpx2.Client, request: httpx2.Request, *, stream: bool = False) -> httpx2.Response:
    try:
        response = client.send(request, stream=stream)
    except httpx2.TransportError as error:
        raise TransientError(f"{request.url} does not answer ({error}); is the environment running?") from error
    if response.is_success:
        return response
    response.read()
    raise _problem(response)


def _problem(response: httpx2.Response) -> RagstoneError:
    try:
        problem = response.json()
        return InvalidQuery(problem["code"], problem["detail"])
    except (ValueError, KeyError, TypeError):
        return RagstoneError(f"{response.url} answered {response.status_code}: {response.text[:300]}")


def _events(lines: Iterator[str]) -> Iterator[tuple[str, Any]]:
    name = ""
    for line in lines:
        field, _, value = line.partition(": ")
        if field == "event":
            name = value
        elif field == "data":
            data = json.loads(value)
            if name == "error":
                raise RagstoneError(f"{data['message']} (code {data['code']}, trace {data['trace_id']})")
            yield name, data
            if name == "done":
                return
    raise TransientError(BROKEN_OFF)
