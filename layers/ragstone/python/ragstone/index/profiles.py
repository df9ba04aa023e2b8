"""How an index is laid out and written on each OpenSearch service."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from math import ceil
from typing import Any

from ragstone.index.codec import CHUNK_FIELDS

GIB_A_SHARD = 30
"""Shards of 10 to 30 GiB search best, by AWS's advice for domains."""


class Visibility(StrEnum):
    """How written chunks become searchable; the first two are values of the `refresh` parameter."""

    WAIT = "wait_for"
    REFRESH = "true"
    POLL = "false"


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """What differs between services: the vector field, index settings, visibility, delete by query, patience."""

    vector: Mapping[str, Any]
    settings: Mapping[str, Any] = field(default_factory=dict[str, Any])
    visibility: Visibility
    deletes_by_query: bool = True
    timeout_s: int = 10

    @property
    def space(self) -> str:
        return self.vector["space_type"]

    @property
    def shards(self) -> int:
        """Primary shards; 1 where the service spreads an index by itself."""
        return self.settings.get("number_of_shards", 1)

    def sized(self, gib: int) -> Profile:
        """The profile for an index that grows to `gib`, where shards are ours to set."""
        if "number_of_shards" not in self.settings:
            return self
        return replace(self, settings={**self.settings, "number_of_shards": ceil(gib / GIB_A_SHARD)})


def _hnsw(engine: str) -> dict[str, Any]:
    return {"name": "hnsw", "engine": engine, "parameters": {"m": 16, "ef_construction": 128}}


PROFILES: Mapping[str, Profile] = {
    # 16-bit floats halve the graph's memory; from 3.6 on the compression level is the one way to ask for them
    # that older versions understand too.
    "domain": Profile(
        vector={"space_type": "innerproduct", "compression_level": "2x", "method": _hnsw("faiss")},
        settings={"number_of_shards": 1, "auto_expand_replicas": "0-1"},
        visibility=Visibility.WAIT,
    ),
    # NextGen collections choose engine and replicas themselves, refresh every ten seconds and may have to wake up.
    "serverless": Profile(
        vector={"space_type": "cosinesimil", "compression_level": "2x"},
        visibility=Visibility.POLL,
        deletes_by_query=False,
        timeout_s=40,
    ),
    "lucene": Profile(
        vector={"space_type": "innerproduct", "method": _hnsw("lucene")},
        settings={"number_of_shards": 1, "number_of_replicas": 0},
        visibility=Visibility.REFRESH,
    ),
}


def index_body(profile: Profile, *, meta: Mapping[str, Any]) -> dict[str, Any]:
    """The request that creates an index for vectors of `meta["dimensions"]`."""
    vector = {"type": "knn_vector", "dimension": meta["dimensions"], **profile.vector}
    return {
        "settings": {"index": {"knn": True, **profile.settings}},
        "mappings": {"dynamic": "strict", "_meta": meta, "properties": {**_PROPERTIES, "vector": vector}},
    }


_SHOWN = {"type": "keyword", "index": False, "doc_values": False}
_PROPERTIES: dict[str, Any] = {
    **dict.fromkeys(CHUNK_FIELDS, _SHOWN),
    "metadata": {"type": "object", "enabled": False},
    "search_tokens": {"type": "text", "analyzer": "whitespace", "index_options": "freqs"},
    "document_id": {"type": "keyword"},
    "version": {"type": "keyword"},
    "acl": {"type": "keyword"},
    "chunk_id": {"type": "keyword"},
    "facts": {"type": "keyword"},
    "write_id": {"type": "keyword"},
}
