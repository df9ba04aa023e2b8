from __future__ import annotations

import time
from math import hypot

import pytest

from ragstone.errors import TransientError
from ragstone.ingestion import Budget
from ragstone.ingestion.budget import UNLIMITED
from ragstone.ingestion.vectors import VectorStream, batch_end, embedded
from ragstone.types import Chunk, ChunkKind, Vector
from tests.support.builders import chunk
from tests.support.fake_embedder import FakeEmbedder

LONE = chunk("alone", ordinal=0)
PARENT = chunk("north south", ordinal=1, kind=ChunkKind.PARENT)
FRAGMENTS = [chunk("north", ordinal=2, parent=1, fragment=0), chunk("south", ordinal=3, parent=1, fragment=1)]
CHUNKS = [LONE, PARENT, *FRAGMENTS, chunk("last", ordinal=4)]


class Compass(FakeEmbedder):
    """Two directions that cancel each other out, or that don't."""

    south: Vector = (0.0, 1.0)

    def embed_query(self, text: str) -> Vector:
        return self.south if text == "south" else (1.0, 0.0)


def test_a_parent_has_the_mean_of_its_fragments_vectors_and_is_not_embedded() -> None:
    embedder = Compass()
    found = embedded(CHUNKS, embedder)
    assert [each.chunk for each in found] == CHUNKS
    assert embedder.asked == ["alone", "north", "south", "last"]
    assert found[1].vector == pytest.approx([0.5**0.5, 0.5**0.5])
    assert hypot(*found[1].vector) == pytest.approx(1)


def test_fragments_that_cancel_each_other_out_leave_the_first_one_s_vector() -> None:
    embedder = Compass()
    embedder.south = (-1.0, 0.0)
    assert embedded(CHUNKS, embedder)[1].vector == (1.0, 0.0)


@pytest.mark.parametrize(("start", "size", "end"), [(0, 1, 1), (0, 2, 4), (0, 3, 4), (0, 4, 4), (4, 1, 5), (0, 99, 5)])
def test_a_batch_keeps_a_parent_with_its_fragments(start: int, size: int, end: int) -> None:
    assert batch_end(CHUNKS, start, size) == end


def stream(embedder: FakeEmbedder, budget: Budget = UNLIMITED) -> VectorStream:
    return VectorStream(CHUNKS, embedder, budget=budget, size=1)


def test_a_stream_gives_every_chunk_in_order() -> None:
    found = stream(Compass())
    assert [each.chunk for each in found] == CHUNKS
    assert found.written == len(CHUNKS)


def test_a_stream_goes_on_where_an_earlier_turn_ended() -> None:
    assert [each.chunk for each in stream(Compass(), Budget(written=4))] == CHUNKS[4:]


def test_a_stream_ends_with_the_time_but_never_before_its_first_batch() -> None:
    found = stream(Compass(), Budget(written=1, seconds_left=lambda: 59))
    assert [each.chunk for each in found] == CHUNKS[1:4]
    assert found.written == 4


def test_the_next_batch_is_embedded_while_one_is_in_use() -> None:
    embedder = Compass()
    coming = iter(stream(embedder))
    next(coming)
    deadline = time.monotonic() + 10
    while embedder.asked != ["alone", "north", "south"] and time.monotonic() < deadline:
        time.sleep(0.01)
    assert embedder.asked == ["alone", "north", "south"]


def test_an_embedder_s_error_comes_out_of_the_stream_after_the_batches_before_it() -> None:
    embedder = Compass()
    found: list[Chunk] = []
    with pytest.raises(TransientError, match="busy"):
        for each in stream(embedder):
            found.append(each.chunk)
            embedder.failures = [TransientError("busy")]
    assert found in (CHUNKS[:1], CHUNKS[:4])


def test_no_chunks_are_no_vectors() -> None:
    nothing: list[Chunk] = []
    assert embedded(nothing, FakeEmbedder()) == []
