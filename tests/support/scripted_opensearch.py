"""The real OpenSearch client on a connection that answers from a script."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

from opensearchpy import Connection, OpenSearch

Answer = tuple[int, Any] | Exception


@dataclass(frozen=True)
class Request:
    """What the client sent; `lines` are the JSON objects of its body."""

    method: str
    url: str
    params: dict[str, Any]
    body: bytes

    @property
    def lines(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.body.splitlines()]


@dataclass
class Script:
    """Answers, given in turn, and the requests that got them."""

    answers: list[Answer] = field(default_factory=list[Answer])
    requests: list[Request] = field(default_factory=list[Request])


class ScriptedConnection(Connection):
    def __init__(self, *, script: Script, **options: Any) -> None:
        super().__init__(**options)
        self._script = script

    def perform_request(
        self,
        method: str,
        url: str,
        params: Mapping[str, Any] | None = None,
        body: bytes | None = None,
        timeout: float | None = None,
        ignore: Collection[int] = (),
        headers: Mapping[str, str] | None = None,
    ) -> Any:
        self._script.requests.append(Request(method, url, dict(params or {}), body or b""))
        answer = self._script.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        status, content = answer
        raw = json.dumps(content)
        if status >= 400:
            self._raise_error(status, raw, "application/json")
        return status, {"content-type": "application/json"}, raw


def scripted_client(*answers: Answer) -> tuple[OpenSearch, Script]:
    script = Script(list(answers))
    return OpenSearch(["http://node"], connection_class=ScriptedConnection, script=script, max_retries=0), script


def bulk_answer(*statuses: int, kind: str = "index") -> Answer:
    """A bulk response whose items have these statuses."""
    items: list[dict[str, Any]] = [
        {kind: {"status": s, **({"error": {"type": "t", "reason": f"reason {s}"}} if s >= 400 and s != 404 else {})}}
        for s in statuses
    ]
    return 200, {"errors": any(status >= 400 for status in statuses), "items": items}
