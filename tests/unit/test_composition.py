import pytest

from ragstone import composition
from ragstone.embedding import CachedEmbedder
from ragstone.settings import Settings


def settings(**given: str) -> Settings:
    return Settings(index_url="lancedb:///index", **given)  # pyright: ignore[reportArgumentType] - all are texts here


def test_without_a_table_ingestion_uses_the_embedder_of_the_process() -> None:
    assert composition.build_ingestion_embedder(settings()) is composition.build_embedder_for(settings())


def test_with_a_table_ingestion_uses_it_behind_the_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(composition, "dynamodb", object)
    cached = composition.build_ingestion_embedder(settings(embedding_cache_table="vectors"))
    assert isinstance(cached, CachedEmbedder)
    assert cached.spec == "wordllama"
    assert cached.embed_query("fares") == composition.build_embedder_for(settings()).embed_query("fares")
