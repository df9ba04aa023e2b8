"""Makers of each chunk index, and short ways to write to it and search it."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Protocol

import numpy as np
import pytest

from ragstone.index.embedded import EmbeddedIndex
from ragstone.index.opensearch import OpenSearchIndex
from ragstone.index.profiles import PROFILES, Profile
from ragstone.ports import ChunkIndex
from ragstone.types import Chunk, EmbeddedChunk, Filter, Hit, Legs, SearchRequest, Vector
from tests.support.fake_index import FakeIndex, FakeStore

DIMENSIONS = 16
LUCENE = PROFILES["lucene"]
# A Serverless collection's way of writing, its operations and its similarity, on a node that searches with Lucene.
SERVERLESS = replace(
    PROFILES["serverless"],
    vector={**LUCENE.vector, "space_type": "cosinesimil"},
    settings={**LUCENE.settings, "refresh_interval": "100ms"},
)


class Maker(Protocol):
    """Makes index objects that all stand for the same stored index."""

    def __call__(self, *, embedder_spec: str = "fake", dimensions: int = DIMENSIONS) -> ChunkIndex: ...


def fake_maker(request: pytest.FixtureRequest) -> Maker:
    store = FakeStore()
    return lambda *, embedder_spec="fake", dimensions=DIMENSIONS: FakeIndex(embedder_spec, dimensions, store)


def embedded_maker(request: pytest.FixtureRequest) -> Maker:
    folder: Path = request.getfixturevalue("tmp_path")
    return lambda *, embedder_spec="fake", dimensions=DIMENSIONS: EmbeddedIndex(
        folder, name="chunks", embedder_spec=embedder_spec, dimensions=dimensions
    )


def opensearch_maker(profile: Profile, client_fixture: str) -> Callable[[pytest.FixtureRequest], Maker]:
    def maker(request: pytest.FixtureRequest) -> Maker:
        client, name = request.getfixturevalue(client_fixture), request.getfixturevalue("opensearch_index")
        return lambda *, embedder_spec="fake", dimensions=DIMENSIONS: OpenSearchIndex(
            client,
            name=name,
            embedder_spec=embedder_spec,
            dimensions=dimensions,
            profile=profile,
            sleep=lambda seconds: time.sleep(min(seconds, 0.05)),
        )

    return maker


MAKERS = {
    "fake": fake_maker,
    "embedded": embedded_maker,
    "opensearch": opensearch_maker(LUCENE, "opensearch_client"),
    "serverless": opensearch_maker(SERVERLESS, "serverless"),
}


def unit(seed: int) -> Vector:
    vector = np.random.default_rng(seed).normal(size=DIMENSIONS)
    return (vector / np.linalg.norm(vector)).tolist()


def chunk(text: str, ordinal: int = 0, **changes: object) -> Chunk:
    plain = Chunk(document_id="d1", version="v1", ordinal=ordinal, source="a.md", text=text, char_from=0, char_to=9)
    return replace(plain, **changes)  # pyright: ignore[reportArgumentType]


def embedded(*chunks: Chunk, vector: Vector | None = None) -> list[EmbeddedChunk]:
    return [EmbeddedChunk(chunk, vector or unit(number)) for number, chunk in enumerate(chunks)]


def search(
    index: ChunkIndex,
    text: str = "lamp",
    *filters: Filter,
    vector: Vector | None = None,
    depth: int = 50,
    groups: Sequence[str] = (),
) -> Legs:
    return index.search(SearchRequest(text, vector or unit(0), depth, tuple(filters), tuple(groups)))


def ordinals(hits: Sequence[Hit]) -> list[int]:
    return [hit.chunk.ordinal for hit in hits]


def write_documents(folder: Path, writer: int) -> None:
    """Eight documents of five chunks each, written by one of several processes."""
    index = EmbeddedIndex(folder, name="chunks", embedder_spec="fake", dimensions=DIMENSIONS)
    for number in range(8):
        index.add(embedded(*(chunk("lamp", ordinal, document_id=f"w{writer}-{number}") for ordinal in range(5))))
