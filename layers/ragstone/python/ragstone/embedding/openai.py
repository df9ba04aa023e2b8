"""Embeddings by OpenAI's API: its own, and those of every server in the table of `ragstone.models.compatible`."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from ragstone.embedding.dialects import DIALECTS, DIMENSIONS
from ragstone.embedding.patience import Patience
from ragstone.embedding.prompts import prompts_of
from ragstone.embedding.registry import embedders
from ragstone.embedding.remote import embed_all
from ragstone.errors import SettingsError, TransientError
from ragstone.models.compatible import connection
from ragstone.models.openai_failures import openai_failures
from ragstone.types import Vector

if TYPE_CHECKING:
    from openai import OpenAI


class OpenAIEmbedder:
    """`client` decides on the server and the key; documents wait out a quota, a query tries three times at most."""

    lexical_weight = 0.3

    def __init__(
        self, client: OpenAI, *, model: str, provider: str = "openai", patience: Patience | None = None
    ) -> None:
        self.spec = f"{provider}:{model}"
        self._client = client
        self._model = model
        self._dialect = DIALECTS[provider]
        self._prompts = prompts_of(model)
        self._patience = patience or Patience()
        self._dimensions = DIMENSIONS.get(self.spec)

    @property
    def dimensions(self) -> int:
        """Known for some models, measured once with a short text for others."""
        if self._dimensions is None:
            self._dimensions = len(self._send_query(["dimensions"])[0])
        return self._dimensions

    def embed_documents(self, texts: Sequence[str]) -> list[Vector]:
        limits = self._dialect.limits
        return embed_all(texts, limits=limits, dimensions=lambda: self.dimensions, send=self._send_documents)

    def embed_query(self, text: str) -> Vector:
        limits = self._dialect.limits
        return embed_all([text], limits=limits, dimensions=lambda: self.dimensions, send=self._send_query)[0]

    def _send_documents(self, texts: list[str]) -> list[Vector]:
        return self._patience(partial(self._send, texts, self._prompts.document, self._dialect.document))

    def _send_query(self, texts: list[str]) -> list[Vector]:
        return self._send(texts, self._prompts.query, self._dialect.query)

    def _send(self, texts: list[str], prompt: str, purpose: Mapping[str, str]) -> list[Vector]:
        import httpx2

        # The SDK's own method always names an encoding, of which Voyage knows no "float" and LM Studio no "base64".
        body = {"model": self._model, "input": [prompt + text for text in texts], **purpose}
        with openai_failures(self.spec):
            reply = self._client.post("/embeddings", cast_to=httpx2.Response, body=body)
            content = json.loads(reply.text)
        return self._vectors(content, len(texts))

    def _vectors(self, content: Any, expected: int) -> list[Vector]:
        try:
            # Gemini leaves out an index of 0.
            vectors = {item.get("index", n): item["embedding"] for n, item in enumerate(content["data"])}
            return [vectors[index] for index in range(expected)]
        except (AttributeError, KeyError, TypeError) as error:
            raise TransientError(f"{self.spec}: the reply does not hold {expected} embeddings") from error


def build(provider: str, model: str) -> OpenAIEmbedder:
    """Raises SettingsError without a model, or without the key and the address that the provider needs."""
    if not model:
        raise SettingsError(f"{provider} needs a model; write {provider}:model")
    server = connection(f"{provider}:{model}")
    import httpx2
    import openai

    timeout = httpx2.Timeout(DIALECTS[provider].read_seconds, connect=3)
    client = openai.OpenAI(base_url=server.base_url, api_key=server.api_key, timeout=timeout, max_retries=2)
    return OpenAIEmbedder(client, model=model, provider=provider)


for _provider in DIALECTS:
    embedders.register(_provider)(partial(build, _provider))
