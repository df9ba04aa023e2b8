from __future__ import annotations

import pytest

from ragstone.index.codec import CHUNK_FIELDS
from ragstone.index.profiles import PROFILES, index_body

META = {"embedder": "wordllama", "dimensions": 256}


@pytest.mark.parametrize("name", PROFILES)
def test_every_field_of_a_chunk_is_mapped_and_no_other_gets_in(name: str) -> None:
    mappings = index_body(PROFILES[name], meta=META)["mappings"]
    assert mappings["dynamic"] == "strict"
    assert mappings["_meta"] == META
    assert mappings["properties"].keys() >= {*CHUNK_FIELDS, "chunk_id", "facts", "search_heading", "write_id", "vector"}
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


def test_a_serverless_collection_chooses_its_own_engine() -> None:
    body = index_body(PROFILES["serverless"], meta=META)
    assert body["mappings"]["properties"]["vector"].keys().isdisjoint({"method", "mode", "engine"})
    assert body["settings"]["index"] == {"knn": True}
