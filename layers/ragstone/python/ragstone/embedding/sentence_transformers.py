"""Sentence Transformers: models on PyTorch, with the prompts that each model brings along."""

from __future__ import annotations

from ragstone.embedding.local import LocalEmbedder, installed
from ragstone.embedding.registry import embedders
from ragstone.errors import SettingsError
from ragstone.types import Vector

PACKAGE = "sentence-transformers"
MAX_TOKENS = 512  # for a model that does not tell its own limit


@embedders.register(PACKAGE)
def build(model: str) -> LocalEmbedder:
    """A model by its name on the hub or by the path of its folder."""
    if not model:
        raise SettingsError(f"{PACKAGE} needs a model, for example {PACKAGE}:intfloat/multilingual-e5-small")
    package = installed(PACKAGE)
    try:
        loaded = package.SentenceTransformer(model)
    except (OSError, ValueError) as error:
        raise SettingsError(f"{PACKAGE}:{model} can't be loaded: {error}") from error

    def documents(texts: list[str]) -> list[Vector]:
        return loaded.encode_document(texts, show_progress_bar=False).tolist()

    def queries(texts: list[str]) -> list[Vector]:
        return loaded.encode_query(texts, show_progress_bar=False).tolist()

    return LocalEmbedder(
        spec=f"{PACKAGE}:{model}",
        dimensions=loaded.get_embedding_dimension(),
        max_tokens=loaded.max_seq_length or MAX_TOKENS,
        documents=documents,
        queries=queries,
    )
