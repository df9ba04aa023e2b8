"""Chunks to JSON objects and back, the same for every index."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import MISSING, fields
from math import hypot
from typing import Any, cast

from ragstone.errors import IndexMismatch, PermanentError
from ragstone.types import Chunk, ChunkKind, EmbeddedChunk, Hit, MetadataValue, chunk_id_of

_TOLERANCE = 0.01

_KINDS: Mapping[str, ChunkKind] = {kind.value: kind for kind in ChunkKind}
_DEFAULTS = {field.name: field.default for field in fields(Chunk) if field.default is not MISSING}
CHUNK_FIELDS = tuple(field.name for field in fields(Chunk))

LAYOUT = 2
"""Raised when an index made before can't be searched or written any more: its fields or its tokens have changed."""


def description(embedder_spec: str, dimensions: int) -> dict[str, Any]:
    """What an index says of itself: whose vectors it holds, and how it is laid out."""
    return {"embedder": embedder_spec, "dimensions": dimensions, "layout": LAYOUT}


def chunk_to_json(chunk: Chunk) -> dict[str, Any]:
    """The chunk's own fields by name; those that are None are left out."""
    values = {name: getattr(chunk, name) for name in CHUNK_FIELDS}
    return {name: value for name, value in values.items() if value is not None} | {"metadata": dict(chunk.metadata)}


def chunk_from_json(document: Mapping[str, Any]) -> Chunk:
    """The chunk that `chunk_to_json` wrote."""
    values: dict[str, Any] = {**_DEFAULTS, **document}
    values["kind"] = _KINDS[values["kind"]]
    values["metadata"] = {name: _hashable(value) for name, value in values["metadata"].items()}
    values["section_path"] = tuple(values["section_path"])
    values["acl"] = tuple(values["acl"])
    values["page_breaks"] = tuple(values["page_breaks"])
    # A frozen dataclass sets its fields one by one, each through a call, and Python 3.11 takes a lock for a cached
    # property: ten times slower, a hundred times a search.
    values["chunk_id"] = chunk_id_of(values["document_id"], values["version"], values["ordinal"])
    chunk = object.__new__(Chunk)
    vars(chunk).update(values)
    return chunk


def _hashable(value: Any) -> MetadataValue:
    return tuple(cast(list[str], value)) if isinstance(value, list) else value


def require_unit(embedded: EmbeddedChunk, dimensions: int) -> None:
    """Raise PermanentError that names the chunk unless its vector has that many floats and length 1."""
    length = hypot(*embedded.vector)
    if len(embedded.vector) != dimensions or not abs(length - 1.0) <= _TOLERANCE:
        problem = f"{len(embedded.vector)} floats and length {length:g}, not {dimensions} and length 1"
        raise PermanentError(f"the vector of chunk {embedded.chunk.chunk_id} has {problem}")


def ranked(hits: Iterable[Hit], depth: int) -> tuple[Hit, ...]:
    """The best `depth` hits, ties by chunk id."""
    return tuple(sorted(hits, key=lambda hit: (-hit.score, hit.chunk.chunk_id))[:depth])


def require_same(name: str, found: Mapping[str, Any], wanted: Mapping[str, Any]) -> None:
    """Raise IndexMismatch unless the index says of itself what is wanted."""
    if all(str(found.get(key)) == str(wanted[key]) for key in wanted):
        return
    if str(found.get("layout")) != str(wanted["layout"]):
        raise IndexMismatch(
            f"index {name!r} is laid out as another version of Ragstone does: build a new one with: "
            "ragstone reindex --env NAME"
        )
    raise IndexMismatch(
        f"index {name!r} holds vectors of {found.get('embedder', 'an unknown embedder')!r} with "
        f"{found.get('dimensions', 'unknown')} dimensions, but the settings say {wanted['embedder']!r} with "
        f"{wanted['dimensions']}: set RAGSTONE_EMBEDDER back, or build a new one with: ragstone reindex --env NAME"
    )
