from __future__ import annotations

import tracemalloc
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from ragstone.chunking.audit import ProblemKind, audit
from ragstone.types import Chunk, ChunkKind
from tests.support.builders import chunk


def made(ordinal: int, **changes: Any) -> Chunk:
    return chunk(changes.pop("text", f"text {ordinal}"), ordinal=ordinal, **changes)


def family(first: int, numbers: list[int], **changes: Any) -> list[Chunk]:
    """A parent and fragments with the given numbers."""
    parent = made(first, kind=ChunkKind.PARENT, **changes)
    return [
        parent,
        *(made(first + n + 1, parent=first, fragment=number, **changes) for n, number in enumerate(numbers)),
    ]


GOOD = [made(0), *family(1, [0, 1, 2]), *family(5, [3, 4]), made(8), made(0, document_id="e" * 32)]


def found(*chunks: Chunk, max_bytes: int | None = None) -> list[tuple[ProblemKind, int]]:
    return [(problem.kind, int(problem.chunk_id[-6:])) for problem in audit(chunks, max_bytes=max_bytes)]


def test_chunks_as_they_should_be_have_no_problems() -> None:
    assert found(*GOOD) == []
    assert found(*reversed(GOOD[:9])) == []
    assert found() == []


@pytest.mark.parametrize(
    ("chunks", "problem"),
    [
        ([made(0, text=" \n")], (ProblemKind.EMPTY, 0)),
        ([made(1)], (ProblemKind.MISSING, 1)),
        ([made(0), made(3)], (ProblemKind.MISSING, 3)),
        ([made(0), made(1), made(1)], (ProblemKind.DOUBLED_ID, 1)),
        ([made(0, text="same"), made(1, text="same")], (ProblemKind.DOUBLED_TEXT, 1)),
        (family(0, [0, 2]), (ProblemKind.FRAGMENT_GAP, 2)),
        (family(0, [1, 2]), (ProblemKind.FRAGMENT_GAP, 1)),
        (family(0, [0, 0]), (ProblemKind.FRAGMENT_GAP, 2)),
        ([made(0), made(1, parent=0, fragment=0)], (ProblemKind.ORPHAN, 1)),
        ([made(0, parent=5, fragment=0)], (ProblemKind.ORPHAN, 0)),
    ],
)
def test_what_is_wrong_is_told_with_its_chunk(chunks: list[Chunk], problem: tuple[ProblemKind, int]) -> None:
    assert found(*chunks) == [problem]


def test_fragments_count_from_0_in_each_section() -> None:
    one, other = family(0, [0, 1], section_path=("A",)), family(3, [0, 1], section_path=("B",))
    assert found(*one, *other) == []
    assert found(*one, *family(3, [2, 3], section_path=("B",))) == [(ProblemKind.FRAGMENT_GAP, 4)]


def test_a_text_that_the_embedder_can_t_take_at_once_is_told() -> None:
    chunks = [made(0, text="é" * 10), made(1, text="e" * 20, kind=ChunkKind.PARENT)]
    assert found(*chunks, max_bytes=20) == []
    assert found(*chunks, max_bytes=19) == [(ProblemKind.TOO_LONG, 0)]
    assert found(*(replace(each, title="Fares") for each in chunks), max_bytes=20) == [(ProblemKind.TOO_LONG, 0)]


def test_a_document_may_say_the_same_twice_but_no_place_and_no_version_is_there_twice() -> None:
    one, again = made(0, text="same"), made(1, text="same", char_from=50)
    for doubled, is_warning in (
        (again, True),
        (replace(again, char_from=0), False),
        (replace(again, version="v2", ordinal=0), False),
    ):
        (problem,) = audit([one, doubled])
        assert (problem.kind, problem.is_warning) == (ProblemKind.DOUBLED_TEXT, is_warning)


def test_rows_may_repeat_but_not_in_one_place() -> None:
    one, other = (made(n, text="day: 7", kind=ChunkKind.ROW, char_from=n * 7) for n in range(2))
    assert found(one, other) == []
    assert found(one, replace(other, char_from=0)) == [(ProblemKind.DOUBLED_TEXT, 1)]


def test_an_old_version_that_was_left_behind_is_doubled_text() -> None:
    assert found(made(0, text="same"), made(0, text="same", version="v2")) == [(ProblemKind.DOUBLED_TEXT, 0)]
    assert found(made(0, text="same"), made(0, text="same", document_id="e" * 32)) == []


def test_messages_say_what_is_missing_where() -> None:
    (problem,) = audit([made(0), made(4)])
    assert (problem.source, problem.message) == ("handbook.pdf", "3 chunks before it are missing, from 1 on")


def test_texts_are_not_held_in_memory() -> None:
    def chunks() -> Iterator[Chunk]:
        for number in range(3_000):
            yield made(number, text=f"{number} " + "x" * 20_000)

    tracemalloc.start()
    assert list(audit(chunks())) == []
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 10_000_000  # the texts have 60 MB
