"""Embedding models on Amazon Bedrock: Titan Text Embeddings V2, Cohere Embed 3 and 4."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from ragstone.embedding.patience import Patience
from ragstone.embedding.registry import embedders
from ragstone.embedding.remote import Limits, embed_all
from ragstone.errors import SettingsError, TransientError
from ragstone.models.bedrock_failures import bedrock_failures
from ragstone.types import Vector

if TYPE_CHECKING:
    from mypy_boto3_bedrock_runtime import BedrockRuntimeClient

WORKERS = 16
DOCUMENT, QUERY = "search_document", "search_query"


@dataclass(frozen=True, slots=True)
class Family:
    """Models with one request format: `body` makes it from texts and their purpose, `vectors` reads the reply."""

    dimensions: int
    limits: Limits
    body: Callable[[list[str], str], dict[str, object]]
    vectors: Callable[[Any], list[Vector]]


def _titan_body(texts: list[str], purpose: str) -> dict[str, object]:
    return {"inputText": texts[0], "dimensions": 1_024, "normalize": True}


def _cohere_body(texts: list[str], purpose: str) -> dict[str, object]:
    return {"texts": texts, "input_type": purpose, "truncate": "END", "embedding_types": ["float"]}


def _titan_vectors(reply: Any) -> list[Vector]:
    return [reply["embedding"]]


def _cohere_vectors(reply: Any) -> list[Vector]:
    return reply["embeddings"]["float"]


_TITAN = Family(
    dimensions=1_024,
    limits=Limits(max_texts=1, max_bytes=8_000, max_text_bytes=8_000, workers=WORKERS),
    body=_titan_body,
    vectors=_titan_vectors,
)
_COHERE_3 = Family(
    dimensions=1_024,
    # 512 tokens a text: 2,048 bytes are about that many in English and in Chinese alike.
    limits=Limits(max_texts=96, max_bytes=200_000, max_text_bytes=2_048, workers=4),
    body=_cohere_body,
    vectors=_cohere_vectors,
)
_COHERE_4 = Family(
    dimensions=1_536,
    limits=Limits(max_texts=96, max_bytes=120_000, max_text_bytes=32_000, workers=4),
    body=_cohere_body,
    vectors=_cohere_vectors,
)

FAMILIES = {
    "amazon.titan-embed-text-v2": _TITAN,
    "cohere.embed-english-v3": _COHERE_3,
    "cohere.embed-multilingual-v3": _COHERE_3,
    "cohere.embed-v4": _COHERE_4,
}


class BedrockEmbedder:
    """`client` decides on region and credentials; documents wait out a quota, a query tries three times at most."""

    lexical_weight = 0.3

    def __init__(
        self, client: BedrockRuntimeClient, *, model: str, family: Family, patience: Patience | None = None
    ) -> None:
        self.spec = f"bedrock:{model}"
        self.dimensions = family.dimensions
        self._client = client
        self._model = model
        self._family = family
        self._patience = patience or Patience()

    def embed_documents(self, texts: Sequence[str]) -> list[Vector]:
        def send(batch: list[str]) -> list[Vector]:
            return self._patience(partial(self._send, batch, DOCUMENT))

        return embed_all(texts, limits=self._family.limits, dimensions=lambda: self.dimensions, send=send)

    def embed_query(self, text: str) -> Vector:
        def send(batch: list[str]) -> list[Vector]:
            return self._send(batch, QUERY)

        return embed_all([text], limits=self._family.limits, dimensions=lambda: self.dimensions, send=send)[0]

    def _send(self, texts: list[str], purpose: str) -> list[Vector]:
        with bedrock_failures(self.spec):
            body = json.dumps(self._family.body(texts, purpose))
            reply = self._client.invoke_model(modelId=self._model, body=body, contentType="application/json")
            content = json.loads(reply["body"].read())
        return self._vectors(content, len(texts))

    def _vectors(self, content: Any, expected: int) -> list[Vector]:
        try:
            vectors = self._family.vectors(content)
        except (KeyError, TypeError) as error:
            raise TransientError(f"{self.spec}: the reply holds no embeddings") from error
        if len(vectors) != expected:
            raise TransientError(f"{self.spec}: the reply holds {len(vectors)} embeddings for {expected} texts")
        return vectors


@embedders.register("bedrock")
def build(model: str) -> BedrockEmbedder:
    """A model id, or the id of an inference profile in front of it (`us.cohere.embed-v4:0`)."""
    family = next((family for name, family in FAMILIES.items() if name in model), None)
    if family is None:
        raise SettingsError(f"bedrock:{model} is not a known embedding model; known are {', '.join(FAMILIES)}")
    from ragstone.aws.clients import bedrock_runtime

    return BedrockEmbedder(bedrock_runtime(read_timeout=30, connections=WORKERS), model=model, family=family)
