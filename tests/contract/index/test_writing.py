"""What every chunk index keeps to when it is written, emptied, made and deleted."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from ragstone.errors import IndexMismatch, PermanentError, TransientError
from ragstone.ports import ChunkIndex
from ragstone.types import Chunk, ChunkKind, EmbeddedChunk, Legs, Vector
from tests.support.index_suite import DIMENSIONS, Maker, chunk, embedded, ordinals, search, unit


def test_an_added_chunk_comes_back_whole_from_both_legs(index: ChunkIndex) -> None:
    whole = Chunk(
        document_id="d1",
        version="v1",
        ordinal=7,
        source="a/ü b.pdf",
        text="Die Lampe „brennt“\nnachts. 🔦",
        char_from=12,
        char_to=40,
        page_from=3,
        page_to=4,
        page_breaks=(10, 10),
        section_start=2,
        kind=ChunkKind.TABLE,
        parent=2,
        fragment=4,
        is_back_matter=True,
        is_breadcrumb_searched=False,
        context="Es geht um Lampen.",
        title="Leuchtfeuer",
        section_path=("Teil 1", "Lampen"),
        language="de",
        metadata={"year": 2024, "price": 2.5, "public": True, "note": "a\\b'c", "tags": ("x", "y")},
        acl=("crew",),
    )
    index.add(embedded(whole))
    legs = search(index, "lampe", groups=["crew"])
    assert [hit.chunk for hit in legs.lexical] == [hit.chunk for hit in legs.dense] == [whole]


def test_a_repeat_overwrites(index: ChunkIndex) -> None:
    index.add(embedded(chunk("old lamp")))
    index.add(embedded(chunk("new wick"), vector=unit(5)))
    assert index.count() == 1
    assert search(index, "lamp").lexical == ()
    legs = search(index, "wick", vector=unit(5))
    assert [hit.chunk.text for hit in legs.lexical] == ["new wick"]
    assert legs.dense[0].score == pytest.approx(1.0, abs=1e-3)


def test_of_equal_ids_in_one_write_the_last_holds(index: ChunkIndex) -> None:
    index.add(embedded(chunk("old lamp"), chunk("new lamp")))
    assert [hit.chunk.text for hit in search(index).lexical] == ["new lamp"]


def test_a_write_may_come_as_a_stream(index: ChunkIndex) -> None:
    index.add(embedded(chunk(f"lamp {number}", number))[0] for number in range(1_200))
    assert index.count() == 1_200
    assert ordinals(search(index, "1199 7").lexical) == [7, 1_199]


def test_an_error_in_a_stream_is_raised_as_it_is(index: ChunkIndex) -> None:
    def broken() -> Iterator[EmbeddedChunk]:
        yield from embedded(chunk("lamp"))
        raise TransientError("the embedder is busy")

    with pytest.raises(TransientError, match="the embedder is busy"):
        index.add(broken())


def test_writing_makes_a_missing_index(make: Maker) -> None:
    index = make()
    index.add(embedded(chunk("lamp")))
    assert index.count() == 1
    index.drop()


def test_writing_nothing_is_no_error(index: ChunkIndex) -> None:
    index.add([])
    assert index.count() == 0


def test_more_chunks_than_one_request_holds_are_all_written_and_removed(index: ChunkIndex) -> None:
    index.add(embedded(*(chunk(f"lamp {number}", number) for number in range(1_234))))
    assert index.count("d1") == 1_234
    index.remove("d1")
    assert index.count() == 0


@pytest.mark.parametrize("vector", [[1.0], [0.0] * DIMENSIONS, [float("nan")] * DIMENSIONS, [2.0] * DIMENSIONS])
def test_a_vector_that_is_no_unit_vector_is_refused_by_name(index: ChunkIndex, vector: Vector) -> None:
    with pytest.raises(PermanentError, match="d1-v1-000003"):
        index.add([*embedded(chunk("lamp")), EmbeddedChunk(chunk("lamp", 3), vector)])
    assert index.count() == 0


def test_writers_at_once_lose_nothing(make: Maker, index: ChunkIndex) -> None:
    def write(document: int) -> None:
        make().add(embedded(*(chunk("lamp", number, document_id=f"d{document}") for number in range(10))))

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(write, range(12)))
    assert index.count() == 120
    assert index.count("d11") == 10


@pytest.fixture
def versions(index: ChunkIndex) -> ChunkIndex:
    """Versions v1 to v3 of document d1 with two chunks each, and one chunk of d2."""
    old = [chunk("lamp", number, version=version) for version in ("v1", "v2", "v3") for number in range(2)]
    index.add(embedded(*old, chunk("lamp", document_id="d2")))
    return index


@pytest.mark.parametrize(
    ("version", "keep", "left"), [(None, None, set[str]()), ("v2", None, {"v1", "v3"}), (None, "v2", {"v2"})]
)
def test_removal_spares_what_it_should(
    versions: ChunkIndex, version: str | None, keep: str | None, left: set[str]
) -> None:
    versions.remove("d1", version=version, keep=keep)
    assert versions.count("d1") == 2 * len(left)
    assert versions.count("d2") == 1
    for hits in (search(versions).lexical, search(versions).dense):
        assert {hit.chunk.version for hit in hits if hit.chunk.document_id == "d1"} == left


def test_removing_what_is_not_there_is_no_error(index: ChunkIndex) -> None:
    index.remove("d9")
    assert index.count() == 0


def test_a_missing_index_is_an_empty_one(make: Maker) -> None:
    index = make()
    assert search(index) == Legs((), ())
    assert (index.count(), index.count("d1")) == (0, 0)
    index.remove("d1")
    index.drop()


def test_making_an_index_twice_keeps_its_chunks(make: Maker, index: ChunkIndex) -> None:
    index.add(embedded(chunk("lamp")))
    make().ensure()
    assert index.count() == 1


def test_a_dropped_index_can_be_made_again(index: ChunkIndex) -> None:
    index.add(embedded(chunk("lamp")))
    index.drop()
    assert index.count() == 0
    index.ensure()
    assert search(index) == Legs((), ())


@pytest.mark.parametrize(("spec", "dimensions"), [("other", DIMENSIONS), ("fake", 32)])
def test_an_index_of_another_embedder_is_refused_with_advice(
    make: Maker, index: ChunkIndex, spec: str, dimensions: int
) -> None:
    with pytest.raises(IndexMismatch, match="ragstone reindex"):
        make(embedder_spec=spec, dimensions=dimensions).ensure()
