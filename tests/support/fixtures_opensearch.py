"""One OpenSearch node for the whole test session; each test gets an index name of its own on it."""

from __future__ import annotations

from collections.abc import Iterator
from uuid import uuid4

import pytest
from opensearchpy import OpenSearch

from tests.support.opensearch_node.build import NoNode
from tests.support.opensearch_node.node import opensearch_node
from tests.support.serverless_double import serverless_client


@pytest.fixture(scope="session")
def opensearch_url() -> Iterator[str]:
    try:
        with opensearch_node() as url:
            yield url
    except NoNode as reason:
        pytest.skip(f"no OpenSearch: {reason}")


@pytest.fixture(scope="session")
def opensearch_client(opensearch_url: str) -> Iterator[OpenSearch]:
    with OpenSearch([opensearch_url], http_compress=True, timeout=30) as client:
        yield client


@pytest.fixture(scope="session")
def serverless(opensearch_url: str) -> Iterator[OpenSearch]:
    """The same node by a client that may ask only what a Serverless collection answers."""
    with serverless_client(opensearch_url) as client:
        yield client


@pytest.fixture
def opensearch_index(opensearch_client: OpenSearch) -> Iterator[str]:
    """The name of an index that is not there yet, and is gone after the test."""
    name = f"test-{uuid4().hex}"
    yield name
    opensearch_client.indices.delete(index=name, params={"ignore_unavailable": "true"})
