from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragstone.errors import IndexMismatch, PermanentError
from ragstone.index.codec import chunk_from_json, chunk_to_json, ranked, require_same, require_unit
from ragstone.types import Chunk, ChunkKind, EmbeddedChunk, Hit
from tests.support.index_suite import chunk

TEXT = st.text(max_size=8)
TEXTS = st.lists(TEXT, max_size=3).map(tuple)
CHUNKS = st.builds(
    Chunk,
    document_id=TEXT,
    version=TEXT,
    ordinal=st.integers(0, 999_999),
    source=TEXT,
    text=TEXT,
    char_from=st.integers(0),
    char_to=st.integers(0),
    page_from=st.none() | st.integers(1),
    kind=st.sampled_from(ChunkKind),
    title=st.none() | TEXT,
    section_path=TEXTS,
    language=st.none() | TEXT,
    metadata=st.dictionaries(TEXT, TEXT | st.integers() | st.floats(allow_nan=False) | st.booleans() | TEXTS),
    acl=TEXTS,
)


@given(CHUNKS)
def test_a_chunk_survives_json(whole: Chunk) -> None:
    document = json.loads(json.dumps(chunk_to_json(whole)))
    assert None not in document.values()
    assert chunk_from_json(document) == whole


def test_vectors_are_checked_by_chunk() -> None:
    require_unit(EmbeddedChunk(chunk("", 1), [0.6, 0.8]), 2)
    with pytest.raises(PermanentError, match="chunk d1-v1-000002 has 2 floats and length 5, not 2 and length 1"):
        require_unit(EmbeddedChunk(chunk("", 2), [3.0, 4.0]), 2)


def test_hits_are_ranked_by_score_then_id() -> None:
    hits = [Hit(chunk("", number), score) for number, score in ((3, 1.0), (2, 2.0), (1, 1.0))]
    assert [hit.chunk.ordinal for hit in ranked(hits, 2)] == [2, 1]


WANTED = {"embedder": "wordllama", "dimensions": 256, "layout": 2}


@pytest.mark.parametrize("found", [WANTED, {"embedder": "wordllama", "dimensions": "256", "layout": "2", "more": 1}])
def test_the_same_embedder_passes(found: dict[str, Any]) -> None:
    require_same("chunks", found, WANTED)


@pytest.mark.parametrize("found", [{}, {"embedder": "wordllama"}, {"embedder": "other", "dimensions": 256}])
def test_another_embedder_is_refused(found: dict[str, Any]) -> None:
    with pytest.raises(IndexMismatch, match="RAGSTONE_EMBEDDER"):
        require_same("chunks", {**found, "layout": 2}, WANTED)


def test_another_version_s_layout_is_refused() -> None:
    with pytest.raises(IndexMismatch, match="another version of Ragstone"):
        require_same("chunks", {"embedder": "wordllama", "dimensions": 256}, WANTED)
