"""A node that dies and comes back while documents are written, found again with all of them."""

from __future__ import annotations

from collections.abc import Iterator
from threading import Event, Thread

import pytest
from opensearchpy import OpenSearch

from ragstone.index.bulk import MAX_ACTIONS
from ragstone.index.opensearch import OpenSearchIndex
from ragstone.index.profiles import PROFILES
from ragstone.types import EmbeddedChunk
from tests.support.index_suite import DIMENSIONS, chunk, search, unit
from tests.support.opensearch_node.build import NoNode
from tests.support.opensearch_node.node import JavaNode, java_node

pytestmark = pytest.mark.opensearch

CHUNKS = 6 * MAX_ACTIONS


@pytest.fixture
def node() -> Iterator[JavaNode]:
    try:
        with java_node() as node:
            yield node
    except NoNode as reason:
        pytest.skip(f"no node to restart: {reason}")


def test_a_node_that_restarts_in_the_middle_of_a_write_loses_nothing(node: JavaNode) -> None:
    is_back = Event()

    def start_again() -> None:
        node.start()
        is_back.set()

    def until_back(seconds: float) -> None:
        is_back.wait(300)  # however slow this machine is just now

    restart = Thread(target=start_again)

    def interrupted() -> Iterator[EmbeddedChunk]:
        for number in range(CHUNKS):
            if number == CHUNKS // 2:
                node.kill()  # one request is under way, acknowledged ones may not be on disk but in its log
                restart.start()
            yield EmbeddedChunk(chunk(f"lamp {number}", number), unit(number))

    with OpenSearch([node.url], timeout=30) as client:
        index = OpenSearchIndex(
            client,
            name="restarted",
            embedder_spec="fake",
            dimensions=DIMENSIONS,
            profile=PROFILES["lucene"],
            sleep=until_back,
        )
        index.add(interrupted())
        restart.join()
        assert index.count() == CHUNKS
        found = {hit.chunk.ordinal for n in (0, CHUNKS // 2, CHUNKS - 1) for hit in search(index, str(n)).lexical}
        assert found == {0, CHUNKS // 2, CHUNKS - 1}
