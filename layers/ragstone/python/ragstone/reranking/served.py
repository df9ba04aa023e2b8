"""Rerankers behind an HTTP API: Cohere's own, and those of every server in the table of dialects."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from ragstone.errors import PermanentError, SettingsError, TransientError
from ragstone.models.compatible import Connection, connection
from ragstone.models.failures import QUOTED
from ragstone.reranking.dialects import DIALECTS, Dialect
from ragstone.reranking.registry import BuildChatModel, rerankers
from ragstone.reranking.results import scores_of
from ragstone.types import Reranking, TokenUsage

if TYPE_CHECKING:
    from urllib3 import BaseHTTPResponse, PoolManager

CONNECT_SECONDS = 3
BUSY = (408, 425, 429)


class ServedReranker:
    """One request a call; the server cuts what is too long for its model."""

    def __init__(self, pool: PoolManager, *, provider: str, model: str, dialect: Dialect, server: Connection) -> None:
        self.spec = f"{provider}:{model}"
        self._pool = pool
        self._dialect = dialect
        self._server = server
        self._model = {"model": model} if dialect.names_model else {}

    def rerank(self, question: str, texts: Sequence[str]) -> Reranking:
        reply = self._send({**self._model, "query": question, self._dialect.texts: list(texts), **self._dialect.extra})
        results, score = self._dialect.results, self._dialect.score
        scores = scores_of(reply, spec=self.spec, count=len(texts), results=results, score=score)
        usage: Any = (reply.get("usage") if results else None) or {}
        return Reranking(scores, (TokenUsage(self.spec, int(usage.get("total_tokens") or 0)),))

    def _send(self, body: dict[str, Any]) -> Any:
        from urllib3.exceptions import HTTPError

        headers = {"Authorization": f"Bearer {self._server.api_key}"}
        try:
            response = self._pool.request(
                "POST", self._server.base_url + self._dialect.path, json=body, headers=headers
            )
        except HTTPError as error:
            raise TransientError(f"{self.spec}: the server can't be reached ({error})") from error
        return self._content(response)

    def _content(self, response: BaseHTTPResponse) -> Any:
        said = response.data.decode(errors="replace")
        if response.status in BUSY or response.status >= 500:
            raise TransientError(f"{self.spec}: the server is busy or failed ({response.status}: {said[:QUOTED]})")
        if response.status != 200:
            advice = f"check {self._dialect.server.key_variable} and the model's name"
            raise PermanentError(f"{self.spec}: refused, {advice} ({response.status}: {said[:QUOTED]})")
        try:
            return json.loads(said)
        except ValueError as error:
            raise TransientError(f"{self.spec}: the reply can't be read ({said[:QUOTED]})") from error


def build(provider: str, model: str, *, seconds: float, chat_model: BuildChatModel) -> ServedReranker:
    from urllib3 import PoolManager, Timeout

    dialect, spec = DIALECTS[provider], f"{provider}:{model}"
    if dialect.names_model and not model:
        raise SettingsError(f"reranker {spec!r} names no model; write {provider}:model")
    servers = {name: each.server for name, each in DIALECTS.items()}
    pool = PoolManager(timeout=Timeout(connect=min(CONNECT_SECONDS, seconds), read=seconds), retries=False)
    return ServedReranker(
        pool, provider=provider, model=model, dialect=dialect, server=connection(spec, servers=servers)
    )


for _provider in DIALECTS:
    rerankers.register(_provider)(partial(build, _provider))
