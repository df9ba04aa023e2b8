"""What the embedders behind an API share: requests within limits, vectors back in the order of the texts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import chain

from ragstone.embedding.texts import batches, pieces, size
from ragstone.embedding.vectors import blank, mean, unit
from ragstone.text import encodable
from ragstone.types import Vector

Send = Callable[[list[str]], list[Vector]]
"""One request: as many vectors as texts, in their order; raises TransientError or PermanentError."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What a provider takes: texts a request, bytes a request (count × longest) and bytes a text; `workers` at once."""

    max_texts: int
    max_bytes: int
    max_text_bytes: int
    workers: int = 1


def embed_all(texts: Sequence[str], *, limits: Limits, dimensions: Callable[[], int], send: Send) -> list[Vector]:
    """Unit vectors of the texts, in order.

    A text longer than the limit is embedded in pieces and gets their mean weighted by length: nothing is cut off.
    White space is not sent, since providers refuse it; a text of nothing else gets the `blank` vector.
    """
    cut = [_parts(text, limits.max_text_bytes) for text in texts]
    requests = batches(chain.from_iterable(cut), max_texts=limits.max_texts, max_bytes=limits.max_bytes)
    vectors = chain.from_iterable(_sent(requests, send, limits.workers))
    return [_joined(parts, vectors) if parts else blank(dimensions()) for parts in cut]


def _parts(text: str, max_bytes: int) -> list[str]:
    return [piece for piece in pieces(encodable(text), max_bytes) if not piece.isspace()]


def _sent(requests: Iterator[list[str]], send: Send, workers: int) -> Iterator[list[Vector]]:
    if workers == 1:
        yield from map(send, requests)
        return
    with ThreadPoolExecutor(workers) as pool:
        yield from pool.map(send, requests)


def _joined(parts: list[str], vectors: Iterator[Vector]) -> Vector:
    if len(parts) == 1:
        return unit(next(vectors))
    return mean([unit(next(vectors)) for _ in parts], [size(part) for part in parts])
