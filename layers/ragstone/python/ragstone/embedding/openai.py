"""OpenAI's embeddings, and those of every server with the same API (`OPENAI_BASE_URL`)."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from ragstone.embedding.patience import Patience
from ragstone.embedding.registry import embedders
from ragstone.embedding.remote import Limits, embed_all
from ragstone.errors import SettingsError, TransientError
from ragstone.models.openai_failures import openai_failures, openai_settings
from ragstone.types import Vector

if TYPE_CHECKING:
    from openai import OpenAI

DIMENSIONS = {"text-embedding-3-small": 1_536, "text-embedding-3-large": 3_072, "text-embedding-ada-002": 1_536}
LIMITS = Limits(max_texts=256, max_bytes=300_000, max_text_bytes=8_000)  # the API takes 300,000 and 8,192 tokens


class OpenAIEmbedder:
    """`client` decides on the server and the key; documents wait out a quota, a query tries three times at most."""

    lexical_weight = 0.3

    def __init__(self, client: OpenAI, *, model: str, patience: Patience | None = None) -> None:
        self.spec = f"openai:{model}"
        self._client = client
        self._model = model
        self._patience = patience or Patience()
        self._dimensions = DIMENSIONS.get(model)

    @property
    def dimensions(self) -> int:
        """Known for OpenAI's models, measured once with a short text for others."""
        if self._dimensions is None:
            self._dimensions = len(self._send(["dimensions"])[0])
        return self._dimensions

    def embed_documents(self, texts: Sequence[str]) -> list[Vector]:
        return embed_all(texts, limits=LIMITS, dimensions=lambda: self.dimensions, send=self._send_patiently)

    def embed_query(self, text: str) -> Vector:
        return embed_all([text], limits=LIMITS, dimensions=lambda: self.dimensions, send=self._send)[0]

    def _send_patiently(self, texts: list[str]) -> list[Vector]:
        return self._patience(partial(self._send, texts))

    def _send(self, texts: list[str]) -> list[Vector]:
        with openai_failures(self.spec):
            # Unlike OpenAI's, many servers ignore the SDK's default, base64.
            reply = self._client.embeddings.with_raw_response.create(
                model=self._model, input=texts, encoding_format="float"
            )
            body = json.loads(reply.text)
        return self._vectors(body, len(texts))

    def _vectors(self, body: Any, expected: int) -> list[Vector]:
        try:
            vectors = {item["index"]: item["embedding"] for item in body["data"]}
            return [vectors[index] for index in range(expected)]
        except (KeyError, TypeError) as error:
            raise TransientError(f"{self.spec}: the reply does not hold {expected} embeddings") from error


@embedders.register("openai")
def build(model: str) -> OpenAIEmbedder:
    if not model:
        raise SettingsError("openai needs a model, for example openai:text-embedding-3-small")
    import httpx2
    import openai

    with openai_settings(f"openai:{model}"):
        client = openai.OpenAI(timeout=httpx2.Timeout(30, connect=3), max_retries=2)
    return OpenAIEmbedder(client, model=model)
