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
def make(request: pytest.FixtureRequest) -> Maker:
    return MAKERS[request.param](request)


@pytest.fixture
def index(make: Maker) -> Iterator[ChunkIndex]:
    index = make()
    index.ensure()
    yield index
    index.drop()


@pytest.fixture
def reader(request: pytest.FixtureRequest, index: ChunkIndex) -> ChunkReader:
    """Of the same index."""
    match index:
        case FakeIndex():
            return index
        case EmbeddedIndex():
            return EmbeddedReader(request.getfixturevalue("tmp_path"), name="chunks")
        case _:
            client, name = request.getfixturevalue("opensearch_client"), request.getfixturevalue("opensearch_index")
            return OpenSearchReader(client, name=name)
