from __future__ import annotations

import pytest

from ragstone.index.codec import CHUNK_FIELDS, description
from ragstone.index.profiles import PROFILES, index_body

META = description("wordllama", 256)


@pytest.mark.parametrize("name", PROFILES)
def test_every_field_of_a_chunk_is_mapped_and_no_other_gets_in(name: str) -> None:
    mappings = index_body(PROFILES[name], meta=META)["mappings"]
    assert mappings["dynamic"] == "strict"
    assert mappings["_meta"] == META
    assert mappings["properties"].keys() >= {*CHUNK_FIELDS, "chunk_id", "facts", "search_tokens", "write_id", "vector"}
    assert mappings["properties"]["vector"]["dimension"] == 256


def test_a_domain_keeps_half_floats_in_a_faiss_graph() -> None:
    vector = index_body(PROFILES["domain"], meta=META)["mappings"]["properties"]["vector"]
    assert vector == {
        "type": "knn_vector",
        "dimension": 256,
        "space_type": "innerproduct",
        "compression_level": "2x",
        "method": {"name": "hnsw", "engine": "faiss", "parameters": {"m": 16, "ef_construction": 128}},
    }


@pytest.mark.parametrize(("gib", "shards"), [(1, 1), (30, 1), (31, 2), (300, 10)])
def test_a_domain_has_a_shard_for_each_thirty_gib(gib: int, shards: int) -> None:
    settings = index_body(PROFILES["domain"].sized(gib), meta=META)["settings"]["index"]
    assert settings["number_of_shards"] == shards


def test_a_serverless_collection_s_shards_are_its_own() -> None:
    assert PROFILES["serverless"].sized(300) == PROFILES["serverless"]


def test_a_serverless_collection_chooses_its_own_engine() -> None:
    body = index_body(PROFILES["serverless"], meta=META)
    assert body["mappings"]["properties"]["vector"].keys().isdisjoint({"method", "mode", "engine"})
    assert body["settings"]["index"] == {"knn": True}
