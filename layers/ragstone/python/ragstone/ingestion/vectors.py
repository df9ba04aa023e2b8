"""Chunks to chunks with vectors, a batch ahead of who writes them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import groupby
from math import hypot

from ragstone.ingestion.budget import BATCH_SECONDS, Budget
from ragstone.ports import Embedder
from ragstone.types import Chunk, ChunkKind, EmbeddedChunk, Vector

TINY = 1e-9
"""A sum of unit vectors shorter than this has no direction but that of rounding errors."""


def batch_end(chunks: Sequence[Chunk], start: int, size: int) -> int:
    """Where a batch of about `size` chunks ends that begins at `start`: not between a parent and its fragments."""
    end = min(start + size, len(chunks))
    while end < len(chunks) and chunks[end].parent is not None:
        end += 1
    return end


class VectorStream:
    """A document's chunks from `budget.written` on with their vectors: one batch is embedded while another is written.

    A batch is begun only while the budget allows it, but for the first; `written` counts what was taken of the stream.
    """

    def __init__(self, chunks: Sequence[Chunk], embedder: Embedder, *, budget: Budget, size: int) -> None:
        self._chunks = chunks
        self._embedder = embedder
        self._budget = budget
        self._size = size
        self.written = budget.written

    def __iter__(self) -> Iterator[EmbeddedChunk]:
        for batch in _one_ahead(self._batches()):
            yield from batch
            self.written += len(batch)

    def _batches(self) -> Iterator[list[EmbeddedChunk]]:
        start = self._budget.written
        while start < len(self._chunks):
            if start > self._budget.written and not self._budget.allows(BATCH_SECONDS):
                return
            end = batch_end(self._chunks, start, self._size)
            yield embedded(self._chunks[start:end], self._embedder)
            start = end


def _one_ahead(batches: Iterator[list[EmbeddedChunk]]) -> Iterator[list[EmbeddedChunk]]:
    """The same batches, each made by a thread while the one before is in use; what it raises is raised here."""
    with ThreadPoolExecutor(1) as pool:
        coming = pool.submit(next, batches, None)
        while (batch := coming.result()) is not None:
            coming = pool.submit(next, batches, None)
            yield batch


def embedded(chunks: Sequence[Chunk], embedder: Embedder) -> list[EmbeddedChunk]:
    """The chunks with their vectors; a parent, which comes with its fragments, gets the mean of theirs.

    So a parent costs no tokens and is never too long, and whoever searches parents finds it where its fragments lie.
    """
    searched = [chunk for chunk in chunks if chunk.kind is not ChunkKind.PARENT]
    found = embedder.embed_documents([chunk.search_text for chunk in searched])
    vectors = {chunk.ordinal: vector for chunk, vector in zip(searched, found, strict=True)}
    for parent, fragments in groupby(searched, key=lambda chunk: chunk.parent):
        if parent is not None:
            vectors[parent] = _mean([vectors[fragment.ordinal] for fragment in fragments])
    return [EmbeddedChunk(chunk, vectors[chunk.ordinal]) for chunk in chunks]


def _mean(vectors: Sequence[Vector]) -> Vector:
    """The direction of the sum; that of the first vector if they cancel each other out."""
    total = [sum(column) for column in zip(*vectors, strict=True)]
    length = hypot(*total)
    return [value / length for value in total] if length > TINY else vectors[0]
