"""Reranking models on Amazon Bedrock: Amazon's own and Cohere's."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from ragstone.errors import SettingsError
from ragstone.models.bedrock_failures import bedrock_failures
from ragstone.reranking.registry import BuildChatModel, rerankers
from ragstone.reranking.results import scores_of
from ragstone.types import Reranking, TokenUsage

if TYPE_CHECKING:
    from mypy_boto3_bedrock_runtime import BedrockRuntimeClient

CONNECTIONS = 8

FAMILIES: Mapping[str, Mapping[str, object]] = {"amazon.rerank": {}, "cohere.rerank": {"api_version": 2}}
"""What a request holds besides the question and the texts, by what the model's id contains."""


class BedrockReranker:
    """`client` decides on region, credentials and time-outs; one request a call, priced by the query."""

    def __init__(self, client: BedrockRuntimeClient, *, model: str, extra: Mapping[str, object]) -> None:
        self.spec = f"bedrock:{model}"
        self._client = client
        self._model = model
        self._extra = extra

    def rerank(self, question: str, texts: Sequence[str]) -> Reranking:
        body = {"query": question, "documents": list(texts), "top_n": len(texts), **self._extra}
        with bedrock_failures(self.spec):
            reply = self._client.invoke_model(
                modelId=self._model, body=json.dumps(body), contentType="application/json"
            )
            content = json.loads(reply["body"].read())
        return Reranking(scores_of(content, spec=self.spec, count=len(texts)), (TokenUsage(self.spec),))


@rerankers.register("bedrock")
def build(model: str, *, seconds: float, chat_model: BuildChatModel) -> BedrockReranker:
    """A model id, or the ARN of a model or inference profile."""
    extra = next((extra for name, extra in FAMILIES.items() if name in model), None)
    if extra is None:
        raise SettingsError(f"bedrock:{model} is not a known reranker; known are {', '.join(FAMILIES)}")
    from ragstone.aws.clients import bedrock_runtime

    return BedrockReranker(bedrock_runtime(read_timeout=seconds, connections=CONNECTIONS), model=model, extra=extra)
