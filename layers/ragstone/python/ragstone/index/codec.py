"""Chunks to JSON objects and back, the same for every index."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import fields
from math import hypot
from typing import Any, cast

from ragstone.errors import IndexMismatch, PermanentError
from ragstone.types import Chunk, ChunkKind, EmbeddedChunk, Hit, MetadataValue

_TOLERANCE = 0.01

CHUNK_FIELDS = tuple(field.name for field in fields(Chunk))


def chunk_to_json(chunk: Chunk) -> dict[str, Any]:
    """The chunk's own fields by name; those that are None are left out."""
    values = {name: getattr(chunk, name) for name in CHUNK_FIELDS}
    return {name: value for name, value in values.items() if value is not None} | {"metadata": dict(chunk.metadata)}


def chunk_from_json(document: Mapping[str, Any]) -> Chunk:
    """The chunk that `chunk_to_json` wrote."""
    changes: dict[str, Any] = {
        "kind": ChunkKind(document["kind"]),
        "metadata": {name: _hashable(value) for name, value in document["metadata"].items()},
        "section_path": tuple(document["section_path"]),
        "acl": tuple(document["acl"]),
    }
    return Chunk(**{**document, **changes})


def _hashable(value: Any) -> MetadataValue:
    return tuple(cast(list[str], value)) if isinstance(value, list) else value


def by_id(chunks: Iterable[EmbeddedChunk], dimensions: int) -> dict[str, EmbeddedChunk]:
    """The chunks by id, the last of equal ids winning; raises PermanentError that names a chunk with a bad vector."""
    found = {embedded.chunk.chunk_id: embedded for embedded in chunks}
    for chunk_id, embedded in found.items():
        length = hypot(*embedded.vector)
        if len(embedded.vector) != dimensions or not abs(length - 1.0) <= _TOLERANCE:
            problem = f"{len(embedded.vector)} floats and length {length:g}, not {dimensions} and length 1"
            raise PermanentError(f"the vector of chunk {chunk_id} has {problem}")
    return found


def ranked(hits: Iterable[Hit], depth: int) -> tuple[Hit, ...]:
    """The best `depth` hits, ties by chunk id."""
    return tuple(sorted(hits, key=lambda hit: (-hit.score, hit.chunk.chunk_id))[:depth])


def require_same(name: str, found: Mapping[str, Any], wanted: Mapping[str, Any]) -> None:
    """Raise IndexMismatch unless the index's `embedder` and `dimensions` are the wanted ones."""
    if all(str(found.get(key)) == str(wanted[key]) for key in wanted):
        return
    raise IndexMismatch(
        f"index {name!r} holds vectors of {found.get('embedder', 'an unknown embedder')!r} with "
        f"{found.get('dimensions', 'unknown')} dimensions, but the settings say {wanted['embedder']!r} with "
        f"{wanted['dimensions']}: set RAGSTONE_EMBEDDER back, or give a new RAGSTONE_INDEX_NAME and "
        "ingest the documents again"
    )
