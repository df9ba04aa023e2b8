"""Transformer models that run in this process, by packages that are installed only where they are wanted."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any

from ragstone.embedding.remote import Limits, embed_all
from ragstone.errors import SettingsError
from ragstone.types import Vector

MAX_TEXTS = 32
MAX_BYTES = 65_536  # a batch is padded to its longest text
BYTES_PER_TOKEN = 3  # in most scripts; a model cuts off what is over its tokens

Encode = Callable[[list[str]], list[Vector]]


class LocalEmbedder:
    """`documents` and `queries` are the model's ways to encode texts of at most `max_tokens`."""

    lexical_weight = 0.3

    def __init__(self, *, spec: str, dimensions: int, max_tokens: int, documents: Encode, queries: Encode) -> None:
        self.spec = spec
        self.dimensions = dimensions
        self._limits = Limits(MAX_TEXTS, MAX_BYTES, max_text_bytes=max_tokens * BYTES_PER_TOKEN)
        self._documents = documents
        self._queries = queries

    def embed_documents(self, texts: Sequence[str]) -> list[Vector]:
        return embed_all(texts, limits=self._limits, dimensions=lambda: self.dimensions, send=self._documents)

    def embed_query(self, text: str) -> Vector:
        return embed_all([text], limits=self._limits, dimensions=lambda: self.dimensions, send=self._queries)[0]


def installed(package: str) -> Any:
    """The package's module; raises SettingsError that says how to install it."""
    try:
        return import_module(package.replace("-", "_"))
    except ModuleNotFoundError as error:
        raise SettingsError(
            f"{package}: models need a package that Ragstone does not bring along; pip install {package}"
        ) from error
