"""Each test of the suite runs on every index: the fake, the one on disk, OpenSearch with each way of writing."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from ragstone.index.embedded import EmbeddedIndex
from ragstone.index.readers import EmbeddedReader, OpenSearchReader
from ragstone.ports import ChunkIndex, ChunkReader
from tests.support.fake_index import FakeIndex
from tests.support.index_suite import MAKERS, Maker


@pytest.fixture(
    params=["fake", "embedded", *(pytest.param(n, marks=pytest.mark.opensearch) for n in ("opensearch", "serverless"))]
)
def kind(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture
def make(request: pytest.FixtureRequest, kind: str) -> Maker:
    return MAKERS[kind](request)


@pytest.fixture
def index(make: Maker) -> Iterator[ChunkIndex]:
    index = make()
    index.ensure()
    yield index
    index.drop()


@pytest.fixture
def reader(request: pytest.FixtureRequest, index: ChunkIndex, kind: str) -> ChunkReader:
    """Of the same index."""
    match index:
        case FakeIndex():
            return index
        case EmbeddedIndex():
            return EmbeddedReader(request.getfixturevalue("tmp_path"), name="chunks")
        case _:
            client = request.getfixturevalue("serverless" if kind == "serverless" else "opensearch_client")
            return OpenSearchReader(client, name=request.getfixturevalue("opensearch_index"))
