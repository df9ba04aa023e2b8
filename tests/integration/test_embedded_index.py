"""The embedded index with real files: several processes, many rows, its graph and its upkeep."""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import lancedb
import numpy as np
import pytest

from ragstone.index.embedded import EmbeddedIndex
from ragstone.types import EmbeddedChunk, Filter, FilterOp
from tests.support.fake_index import bm25_scores
from tests.support.index_suite import DIMENSIONS, chunk, embedded, ordinals, search, unit, write_documents


def made(folder: Path, exact_rows: int = 100_000) -> EmbeddedIndex:
    return EmbeddedIndex(folder, name="chunks", embedder_spec="fake", dimensions=DIMENSIONS, exact_rows=exact_rows)


def test_processes_that_make_and_write_one_index_at_once_lose_nothing(tmp_path: Path) -> None:
    with ProcessPoolExecutor(3, mp_context=get_context("spawn")) as pool:
        list(pool.map(write_documents, [tmp_path] * 3, range(3)))
    index = made(tmp_path)
    assert [index.count(f"w{writer}-{document}") for writer in range(3) for document in range(8)] == [5] * 24
    assert len(search(index, "lamp", depth=200).lexical) == 120


def test_an_open_index_sees_what_another_wrote_and_deleted(tmp_path: Path) -> None:
    reader, writer = made(tmp_path), made(tmp_path)
    reader.ensure()
    writer.add(embedded(chunk("lamp")))
    assert ordinals(search(reader).lexical) == [0]
    writer.remove("d1")
    assert search(reader).lexical == ()


def test_scores_are_the_same_before_and_after_upkeep(tmp_path: Path) -> None:
    """Rows that the text index holds already and rows that it lacks are scored over the whole table."""
    index = made(tmp_path)
    chunks = [chunk("lamp " * (1 + n % 5) + "oil " * (n % 3) + "wick", n) for n in range(2_300)]
    for start, stop in ((0, 1_500), (1_500, 2_100), (2_100, 2_300)):
        index.add(embedded(*chunks[start:stop]))
    statistics = lancedb.connect(tmp_path).open_table("chunks").index_stats("search_tokens_idx")
    assert statistics is not None
    assert (statistics.num_indexed_rows, statistics.num_unindexed_rows) == (2_100, 200)
    expected = bm25_scores("oil lamp", chunks)
    hits = search(index, "oil lamp", depth=500).lexical
    assert {hit.chunk.chunk_id: hit.score for hit in hits} == pytest.approx(
        {hit.chunk.chunk_id: expected[hit.chunk.chunk_id] for hit in hits}, rel=1e-3
    )
    assert hits[-1].score == pytest.approx(sorted(expected.values())[-500], rel=1e-3)


def test_upkeep_keeps_many_small_writes_together(tmp_path: Path) -> None:
    index = made(tmp_path)
    for number in range(120):
        index.add(embedded(chunk("lamp", number)))
    table = lancedb.connect(tmp_path).open_table("chunks")
    assert table.stats()["fragment_stats"]["num_fragments"] < 30  # pyright: ignore[reportIndexIssue]
    assert index.count() == 120


def test_past_the_limit_a_graph_finds_the_nearest_with_exact_cosines(tmp_path: Path) -> None:
    index = made(tmp_path, exact_rows=1_000)
    rng = np.random.default_rng(7)
    vectors = np.repeat(rng.normal(size=(50, DIMENSIONS)), 24, axis=0) + rng.normal(scale=0.2, size=(1_200, DIMENSIONS))
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    index.add([EmbeddedChunk(chunk("lamp", number), vector.tolist()) for number, vector in enumerate(vectors[:1_150])])
    assert len(list(lancedb.connect(tmp_path).open_table("chunks").list_indices())) == 2
    index.add([EmbeddedChunk(chunk("lamp", 1_150 + n), vector.tolist()) for n, vector in enumerate(vectors[1_150:])])
    cosines = vectors @ vectors[1_180]
    hits = search(index, vector=vectors[1_180].tolist(), depth=20).dense
    assert {hit.chunk.ordinal: hit.score for hit in hits} == pytest.approx(
        {hit.chunk.ordinal: cosines[hit.chunk.ordinal] for hit in hits}, abs=1e-3
    )
    assert len(set(ordinals(hits)) & set(np.argsort(-cosines)[:20].tolist())) >= 19
    narrow = search(index, "lamp", Filter("source", FilterOp.EQ, "none"), vector=unit(1))
    assert narrow.dense == ()
