"""The managed domain's own mapping, faiss with 16-bit floats, on a real node."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from opensearchpy import OpenSearch

from ragstone.index.opensearch import OpenSearchIndex
from ragstone.index.profiles import PROFILES
from ragstone.types import EmbeddedChunk, Filter, FilterOp
from tests.support.fake_index import bm25_scores
from tests.support.index_suite import DIMENSIONS, chunk, embedded, ordinals, search, unit

pytestmark = pytest.mark.opensearch

DOMAIN = PROFILES["domain"]
# A node assembled from jars has no native library to build faiss graphs with: it compares all vectors instead.
WITHOUT_GRAPH = replace(DOMAIN, settings={**DOMAIN.settings, "knn.advanced.approximate_threshold": -1})


@pytest.fixture
def index(opensearch_client: OpenSearch, opensearch_index: str) -> OpenSearchIndex:
    return OpenSearchIndex(
        opensearch_client,
        name=opensearch_index,
        embedder_spec="fake",
        dimensions=DIMENSIONS,
        profile=WITHOUT_GRAPH,
    )


def test_a_domain_s_index_finds_by_words_and_by_cosine_within_the_filter(index: OpenSearchIndex) -> None:
    vectors = {number: unit(number) for number in range(30)}
    index.add(
        [
            EmbeddedChunk(chunk(f"lamp {number}", number, metadata={"shelf": number % 3}), vector)
            for number, vector in vectors.items()
        ]
    )
    query = unit(99)
    legs = search(index, "lamp", Filter("metadata.shelf", FilterOp.EQ, 1), vector=query)
    wanted = {number: float(np.dot(vectors[number], query)) for number in range(1, 30, 3)}
    assert ordinals(legs.lexical) == sorted(wanted)
    assert {hit.chunk.ordinal: hit.score for hit in legs.dense} == pytest.approx(wanted, abs=2e-3)


def test_words_weigh_alike_on_all_of_a_large_index_s_shards(
    opensearch_client: OpenSearch, opensearch_index: str
) -> None:
    index = OpenSearchIndex(
        opensearch_client,
        name=opensearch_index,
        embedder_spec="fake",
        dimensions=DIMENSIONS,
        profile=WITHOUT_GRAPH.sized(150),
    )
    chunks = [chunk("lamp " * (1 + n % 3) + ("oil" if n < 7 else "wick"), n) for n in range(40)]
    index.add(embedded(*chunks))
    legs = search(index, "lamp oil")
    expected = bm25_scores("lamp oil", chunks)
    assert {hit.chunk.chunk_id: hit.score for hit in legs.lexical} == pytest.approx(expected, rel=1e-3)
    assert len(legs.dense) == 40


def test_a_domain_s_index_has_one_shard_and_no_vector_in_its_stored_source(
    index: OpenSearchIndex, opensearch_client: OpenSearch, opensearch_index: str
) -> None:
    index.ensure()
    (found,) = opensearch_client.indices.get_settings(index=opensearch_index).values()
    assert found["settings"]["index"]["number_of_shards"] == "1"
    assert found["settings"]["index"]["knn.derived_source"] == {"enabled": "true"}
