"""Each test of the suite runs on every index: the fake, the one on disk, OpenSearch with each way of writing."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from ragstone.ports import ChunkIndex
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
