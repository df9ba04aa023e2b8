import logging

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragstone.embedding import CachedEmbedder
from ragstone.errors import PermanentError, TransientError
from tests.support.fake_embedder import FakeEmbedder
from tests.support.fake_vector_cache import FakeVectorCache

TEXTS = ["Night fares begin at ten.", "Dogs ride free.", "Night fares begin at ten."]


def cached(embedder: FakeEmbedder, cache: FakeVectorCache) -> CachedEmbedder:
    return CachedEmbedder(embedder, cache)


@given(st.lists(st.lists(st.sampled_from(["", " ", "a", "b", "a b", "ä", "\ud83d"]), max_size=8), max_size=6))
def test_each_text_is_embedded_once_and_order_is_kept(calls: list[list[str]]) -> None:
    embedder, cache, plain = FakeEmbedder(), FakeVectorCache(), FakeEmbedder()
    for texts in calls:
        vectors = cached(embedder, cache).embed_documents(texts)
        for vector, expected in zip(vectors, plain.embed_documents(texts), strict=True):
            assert vector == pytest.approx(expected, abs=1e-7)
    assert sorted(embedder.asked) == sorted({text for texts in calls for text in texts})


def test_the_vectors_of_a_retry_are_identical() -> None:
    embedder, cache = FakeEmbedder(dimensions=5), FakeVectorCache()
    first = cached(embedder, cache).embed_documents(TEXTS)
    again = cached(embedder, cache).embed_documents(TEXTS)
    without = cached(embedder, FakeVectorCache(failure=TransientError("down"))).embed_documents(TEXTS)
    assert first == again == without
    assert len(embedder.asked) == 4  # two at first, none again, two without a cache
    assert first != embedder.embed_documents(TEXTS)  # 1/√3 is not exact in float32


def test_only_texts_that_are_new_are_embedded() -> None:
    embedder, cache = FakeEmbedder(), FakeVectorCache()
    cached(embedder, cache).embed_documents(["one", "two"])
    cached(embedder, cache).embed_documents(["three", "two", "four"])
    assert embedder.asked == ["one", "two", "three", "four"]


@pytest.mark.parametrize("other", [FakeEmbedder(spec="other"), FakeEmbedder(dimensions=32)])
def test_another_embedder_finds_nothing(other: FakeEmbedder) -> None:
    cache = FakeVectorCache()
    cached(FakeEmbedder(), cache).embed_documents(["one"])
    assert len(cached(other, cache).embed_documents(["one"])[0]) == other.dimensions
    assert other.asked == ["one"]


def test_a_query_is_neither_looked_up_nor_kept() -> None:
    embedder, cache = FakeEmbedder(), FakeVectorCache()
    assert cached(embedder, cache).embed_query("one") == embedder.embed_query("one")
    assert cache.vectors == {}


@pytest.mark.parametrize("failure", [TransientError("throttled"), PermanentError("no such table")])
def test_a_cache_that_fails_costs_a_warning_and_the_embedding(
    failure: Exception, caplog: pytest.LogCaptureFixture
) -> None:
    embedder = FakeEmbedder()
    with caplog.at_level(logging.WARNING):
        vectors = cached(embedder, FakeVectorCache(failure=failure)).embed_documents(TEXTS)
    assert len(vectors) == 3
    assert embedder.asked == TEXTS[:2]
    assert [record.getMessage() for record in caplog.records] == [
        f"reading the embedding cache failed, going on without it: {failure}",
        f"writing the embedding cache failed, going on without it: {failure}",
    ]


def test_a_failing_embedder_is_not_hidden_and_leaves_nothing_behind() -> None:
    cache = FakeVectorCache()
    with pytest.raises(TransientError, match="quota"):
        cached(FakeEmbedder(failures=[TransientError("quota")]), cache).embed_documents(["one"])
    assert cache.vectors == {}


def test_it_passes_for_the_embedder_behind_it() -> None:
    embedder = FakeEmbedder(dimensions=32, spec="fake:one", lexical_weight=0.4)
    both = cached(embedder, FakeVectorCache())
    assert (both.spec, both.dimensions, both.lexical_weight) == ("fake:one", 32, 0.4)
