"""Embeddings that are made once and kept."""

from __future__ import annotations

import logging
from array import array
from collections.abc import Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager
from hashlib import sha256

from ragstone.errors import PermanentError, TransientError
from ragstone.ports import Embedder, VectorCache
from ragstone.text import encodable
from ragstone.types import Vector

logger = logging.getLogger(__name__)


class CachedEmbedder:
    """An embedder in front of another that asks it only for documents whose vectors `cache` does not hold.

    Vectors are rounded to float32 before their first use, so that they are the same whether they come from the
    cache or not. A cache that fails costs a warning and the embedding; queries pass it by.
    """

    def __init__(self, embedder: Embedder, cache: VectorCache) -> None:
        self._embedder = embedder
        self._cache = cache

    @property
    def spec(self) -> str:
        return self._embedder.spec

    @property
    def dimensions(self) -> int:
        return self._embedder.dimensions

    @property
    def lexical_weight(self) -> float:
        return self._embedder.lexical_weight

    def embed_documents(self, texts: Sequence[str]) -> list[Vector]:
        keys = {text: self._key(text) for text in texts}
        vectors = dict(self._known(keys.values()))
        missing = {key: text for text, key in keys.items() if key not in vectors}
        if missing:
            made = map(_rounded, self._embedder.embed_documents(list(missing.values())))
            new = dict(zip(missing, made, strict=True))
            self._keep(new)
            vectors |= new
        return [vectors[keys[text]] for text in texts]

    def embed_query(self, text: str) -> Vector:
        return self._embedder.embed_query(text)

    def _key(self, text: str) -> str:
        parts = ("document", self.spec, str(self.dimensions), encodable(text))
        return sha256("\n".join(parts).encode()).hexdigest()

    def _known(self, keys: Iterable[str]) -> Mapping[str, Vector]:
        with _doing_without("reading"):
            return self._cache.get(list(keys))
        return {}

    def _keep(self, vectors: Mapping[str, Vector]) -> None:
        with _doing_without("writing"):
            self._cache.put(vectors)


def _rounded(vector: Vector) -> Vector:
    return list(array("f", vector))


@contextmanager
def _doing_without(action: str) -> Generator[None]:
    try:
        yield
    except (TransientError, PermanentError) as error:
        logger.warning("%s the embedding cache failed, going on without it: %s", action, error)
