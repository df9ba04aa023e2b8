"""WordLlama: static word vectors that ship in their package, so embedding needs no service, key or download."""

from __future__ import annotations

import logging
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any

from ragstone.embedding.registry import embedders
from ragstone.embedding.texts import batches
from ragstone.embedding.vectors import unit
from ragstone.errors import SettingsError
from ragstone.text import encodable
from ragstone.types import Vector

DIMENSIONS = 256
MAX_TEXTS = 256
MAX_BYTES = 1_000_000

Embed = Callable[[list[str]], Any]
"""Texts to a NumPy array of shape (texts, DIMENSIONS)."""


class WordLlamaEmbedder:
    """Means of word vectors, 256 floats a text; a text without any token gets the `blank` vector."""

    spec = "wordllama"
    dimensions = DIMENSIONS
    lexical_weight = 0.7

    def __init__(self, embed: Embed) -> None:
        self._embed = embed

    def embed_documents(self, texts: Sequence[str]) -> list[Vector]:
        groups = batches(map(encodable, texts), max_texts=MAX_TEXTS, max_bytes=MAX_BYTES)
        return [unit(row) for group in groups for row in self._embed(group).tolist()]

    def embed_query(self, text: str) -> Vector:
        return self.embed_documents([text])[0]


@embedders.register("wordllama")
def build(name: str) -> WordLlamaEmbedder:
    if name:
        raise SettingsError(f"wordllama has one model and {name!r} is not it; write just wordllama")
    with _logging_as_it_was():
        wordllama: Any = import_module("wordllama")
    # The wheel keeps weights and tokenizer where a cache folder would, and looks for the tokenizer only there.
    folder = Path(wordllama.__file__).parent
    model = wordllama.WordLlama.load(cache_dir=folder, dim=DIMENSIONS, disable_download=True)
    # The tokenizer gets texts unsplit, and would remember the last 10,000 short ones whole, at 3 KB each.
    model.tokenizer.model._resize_cache(0)
    return WordLlamaEmbedder(pooling(model.tokenizer, model.embedding))


def pooling(tokenizer: Any, table: Any) -> Embed:
    """The mean of each text's word vectors, rows of `table`; zeros for a text without any token.

    What WordLlama's own `embed` gives, three times as fast: that pads the texts of a batch to the longest.
    """
    import numpy as np

    tokenizer.no_padding()

    def embed(texts: list[str]) -> Any:
        found = np.zeros((len(texts), DIMENSIONS), dtype=np.float32)
        for row, encoded in zip(found, tokenizer.encode_batch_fast(texts, add_special_tokens=False), strict=True):
            if encoded.ids:
                row[:] = table[encoded.ids].mean(axis=0)
        return found

    return embed


@contextmanager
def _logging_as_it_was() -> Generator[None]:
    """Undo what importing wordllama does to the root logger: a handler, and level INFO for every library."""
    root = logging.getLogger()
    level, handlers = root.level, root.handlers[:]
    try:
        yield
    finally:
        root.setLevel(level)
        root.handlers[:] = handlers
