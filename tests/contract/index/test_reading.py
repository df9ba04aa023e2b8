"""What every chunk index reads back without a search."""

from __future__ import annotations

from ragstone.ports import ChunkIndex, ChunkReader
from ragstone.types import Filter, FilterOp, chunk_id_of
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
    assert list(reader.document_ids()) == []


def test_reading_goes_on_after_a_chunk(index: ChunkIndex, reader: ChunkReader) -> None:
    made = [chunk("lamp", n, document_id=d, version=v) for d in ("d1", "d2") for v in ("v1", "v2") for n in range(12)]
    index.add(embedded(*made))
    after = chunk_id_of("d1", "v2", 9)
    assert [(each.version, each.ordinal) for each in reader.chunks("d1", after=after)] == [("v2", 10), ("v2", 11)]
    assert len(list(reader.chunks(after=after))) == 2 + 24
    first = next(reader.chunks("d1", after=chunk_id_of("d1", "v2", -1)))
    assert (first.version, first.ordinal) == ("v2", 0)


def test_documents_that_have_chunks_come_once_each_in_order(index: ChunkIndex, reader: ChunkReader) -> None:
    names = [f"d{number:04}" for number in range(1_100)]
    index.add(embedded(*(chunk("lamp", n, document_id=name) for name in names for n in range(1 + (name < "d0002")))))
    index.add(embedded(*(chunk("lamp", n, document_id="d0500") for n in range(1, 1_200))))
    assert list(reader.document_ids()) == names
    assert list(reader.document_ids(after="d1097")) == ["d1098", "d1099"]


def test_chunks_are_fetched_by_their_ids_in_one_read(index: ChunkIndex, reader: ChunkReader) -> None:
    made = [chunk("lamp", number, document_id="d'1", section_start=7) for number in range(5)]
    index.add(embedded(*made))
    assert reader.fetch([made[3].chunk_id, "d'1-v1-000099", made[1].chunk_id]) == [made[1], made[3]]
    assert reader.fetch([]) == []


def test_only_what_a_caller_may_read_is_fetched(index: ChunkIndex, reader: ChunkReader) -> None:
    made = [chunk("lamp", 0), chunk("lamp", 1, acl=("crew", "board")), chunk("lamp", 2, acl=("it's",))]
    index.add(embedded(*made))
    ids = [each.chunk_id for each in made]
    for groups, readable in (((), [0]), (("board",), [0, 1]), (("it's", "x"), [0, 2])):
        assert [each.ordinal for each in reader.fetch(ids, groups=groups)] == readable


def test_only_what_passes_the_filters_is_fetched(index: ChunkIndex, reader: ChunkReader) -> None:
    made = [chunk("lamp", number, metadata={"year": 2020 + number}) for number in range(3)]
    index.add(embedded(*made))
    since = Filter("metadata.year", FilterOp.GTE, 2021)
    assert reader.fetch([each.chunk_id for each in made], filters=[since]) == made[1:]


def test_nothing_is_fetched_from_an_index_that_is_not_there(index: ChunkIndex, reader: ChunkReader) -> None:
    index.drop()
    assert reader.fetch(["d1-v1-000000"]) == []
