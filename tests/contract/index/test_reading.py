"""What every chunk index reads back without a search."""

from __future__ import annotations

from ragstone.ports import ChunkIndex, ChunkReader
from tests.support.index_suite import chunk, embedded


def test_all_chunks_come_back_whole_one_document_after_the_other(index: ChunkIndex, reader: ChunkReader) -> None:
    made = [
        chunk("lamp", number, document_id=f"d{document}", acl=("crew",), metadata={"year": 2024})
        for document in (2, 1)
        for number in (11, 0, 3)
    ]
    index.add(embedded(*made))
    assert list(reader.chunks()) == sorted(made, key=lambda each: each.chunk_id)


def test_one_document_s_chunks_come_by_ordinal(index: ChunkIndex, reader: ChunkReader) -> None:
    index.add(embedded(*(chunk("lamp", n, document_id=d) for d in ("d'1", "d2") for n in (2, 0, 1))))
    assert [(each.document_id, each.ordinal) for each in reader.chunks("d'1")] == [("d'1", n) for n in range(3)]
    assert list(reader.chunks("none")) == []


def test_more_chunks_than_a_page_holds_come_once_each(index: ChunkIndex, reader: ChunkReader) -> None:
    made = [chunk(f"lamp {number}", number) for number in range(2_000)]
    index.add(embedded(*made))
    assert list(reader.chunks()) == made


def test_what_is_written_meanwhile_does_not_double_anything(index: ChunkIndex, reader: ChunkReader) -> None:
    index.add(embedded(*(chunk("lamp", number) for number in range(0, 1_500, 2))))
    found = reader.chunks()
    first = next(found)
    index.add(embedded(*(chunk("lamp", number) for number in range(1, 1_500, 2))))
    ordinals = [first.ordinal, *(each.ordinal for each in found)]
    assert ordinals == sorted(set(ordinals))
    assert set(ordinals) >= set(range(0, 1_500, 2))


def test_an_index_that_is_empty_or_not_there_has_none(index: ChunkIndex, reader: ChunkReader) -> None:
    assert list(reader.chunks()) == []
    index.drop()
    assert list(reader.chunks()) == []
