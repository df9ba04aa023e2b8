"""FastEmbed: transformer models on ONNX Runtime, without PyTorch."""

from __future__ import annotations

from typing import Any

from ragstone.embedding.local import LocalEmbedder, installed
from ragstone.embedding.prompts import prompts_of
from ragstone.embedding.registry import embedders
from ragstone.errors import SettingsError
from ragstone.types import Vector

PACKAGE = "fastembed"
MAX_TOKENS = 512  # FastEmbed tells no model's own limit; most of its models have this one


@embedders.register(PACKAGE)
def build(model: str) -> LocalEmbedder:
    """A model of FastEmbed's list, downloaded once into `FASTEMBED_CACHE_PATH`."""
    if not model:
        raise SettingsError("fastembed needs a model, for example fastembed:BAAI/bge-small-en-v1.5")
    fastembed = installed(PACKAGE)
    try:
        loaded = fastembed.TextEmbedding(model)
    except ValueError as error:
        raise SettingsError(f"fastembed:{model} can't be loaded: {error}") from error
    return embedder_of(loaded, model=model)


def embedder_of(loaded: Any, *, model: str) -> LocalEmbedder:
    """An embedder by a loaded `fastembed.TextEmbedding`."""
    prompts = prompts_of(model)

    def documents(texts: list[str]) -> list[Vector]:
        return [row.tolist() for row in loaded.passage_embed(prompts.document + text for text in texts)]

    def queries(texts: list[str]) -> list[Vector]:
        return [row.tolist() for row in loaded.query_embed([prompts.query + text for text in texts])]

    return LocalEmbedder(
        spec=f"{PACKAGE}:{model}",
        dimensions=loaded.embedding_size,
        max_tokens=MAX_TOKENS,
        documents=documents,
        queries=queries,
    )
