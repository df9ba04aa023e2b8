"""Chunks to chunks with vectors, a batch at a time."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from math import hypot

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
