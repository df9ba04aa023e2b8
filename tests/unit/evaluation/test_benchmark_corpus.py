from __future__ import annotations

from dataclasses import replace

from ragstone.evaluation.benchmark_corpus import VERSION, AllCurrent, BenchmarkCorpus
from ragstone.evaluation.benchmark_files import BenchmarkPassage
from ragstone.types import Chunk, ChunkKind, Passage
from tests.support.fake_embedder import FakeEmbedder
from tests.support.fake_index import FakeIndex

ALONE = BenchmarkPassage("p1", "The ferry is white.", "Ferry", {"year": 2024})
OTHER = BenchmarkPassage("p2", "The ferry is blue.", "Ferry")
NIGHT = [
    BenchmarkPassage(f"n{n}", text, "Handbook", {"section": "Night"}) for n, text in enumerate(["It is dark.", "Tea."])
]
DAY = BenchmarkPassage("d", "It is light.", "Handbook", {"section": "Day"})


def found(chunk: Chunk, **changes: tuple[str, ...]) -> Passage:
    return Passage(chunk, 1.0, **changes)  # pyright: ignore[reportArgumentType] - only tuples are changed here


def test_a_passage_without_a_section_is_a_document_of_its_own() -> None:
    first, second = BenchmarkCorpus.of([ALONE, OTHER]).chunks
    assert first.document_id != second.document_id
    assert (first.text, first.title, first.metadata, first.source) == (ALONE.text, "Ferry", {"year": 2024}, "p1")
    assert (first.parent, first.section_path) == (None, ())


def test_sections_of_a_title_are_one_document_with_parents() -> None:
    parent, one, two, day = BenchmarkCorpus.of([*NIGHT, DAY]).chunks
    assert len({chunk.document_id for chunk in (parent, one, two, day)}) == 1
    assert (parent.kind, parent.text) == (ChunkKind.PARENT, "It is dark.\n\nTea.")
    assert [(c.ordinal, c.parent, c.fragment) for c in (parent, one, two, day)] == [
        (0, None, None),
        (1, 0, 0),
        (2, 0, 1),
        (3, None, None),
    ]
    assert day.section_path == ("Day",)
    assert (one.char_from, two.char_to, day.char_from) == (parent.char_from, parent.char_to, parent.char_to + 2)


def test_evidence_stands_for_the_passages_in_its_text() -> None:
    corpus = BenchmarkCorpus.of([*NIGHT, DAY, ALONE, OTHER])
    parent, one, two, day, alone, _ = corpus.chunks
    assert corpus.passage_ids(found(one)) == {"n0"}
    assert corpus.passage_ids(found(parent)) == {"n0", "n1"}
    assert corpus.passage_ids(found(replace(two, char_from=one.char_from))) == {"n0", "n1"}
    assert corpus.passage_ids(found(alone, also_in=("p2", "Handbook"))) == {"p1", "p2"}
    assert corpus.sections_of(found(day)) == {"Handbook > Day"}
    assert corpus.sections_of(found(alone)) == frozenset()


def test_every_chunk_is_written_with_its_vector() -> None:
    corpus, index = BenchmarkCorpus.of([*NIGHT, DAY]), FakeIndex()
    corpus.write(index, FakeEmbedder())
    assert list(index.chunks()) == sorted(corpus.chunks, key=lambda chunk: chunk.chunk_id)


def test_every_document_is_current_and_open() -> None:
    current = AllCurrent().current(["a"])["a"]
    assert current.version == VERSION
    assert current.readable_by(())
    assert BenchmarkCorpus.of([ALONE]).chunks[0].version == VERSION
