"""Checks chunks for what goes wrong when they are made, written or removed, in one pass over any number of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from hashlib import blake2b
from itertools import groupby

from ragstone.types import Chunk, ChunkKind


class ProblemKind(StrEnum):
    EMPTY = "empty"
    MISSING = "missing"
    DOUBLED_ID = "doubled_id"
    DOUBLED_TEXT = "doubled_text"
    FRAGMENT_GAP = "fragment_gap"
    ORPHAN = "orphan"
    TOO_LONG = "too_long"


@dataclass(frozen=True, slots=True)
class Problem:
    """Something wrong with a chunk, or right before it; a warning may be the document's own doing."""

    kind: ProblemKind
    source: str
    chunk_id: str
    message: str
    is_warning: bool = False


def audit(chunks: Iterable[Chunk], *, max_bytes: int | None = None) -> Iterator[Problem]:
    """What is wrong with the chunks; those of one document have to come together, a version after the other.

    `max_bytes` (UTF-8) is the longest text that the embedder takes in one piece, None if it takes any. What is held in
    memory is one document's chunks without their texts.
    """
    for _, of_document in groupby(chunks, key=lambda chunk: chunk.document_id):
        texts: dict[bytes, Chunk] = {}
        for _, of_version in groupby(of_document, key=lambda chunk: chunk.version):
            yield from _audit_version(of_version, texts, max_bytes)


def _audit_version(chunks: Iterator[Chunk], texts: dict[bytes, Chunk], max_bytes: int | None) -> Iterator[Problem]:
    seen: dict[int, Chunk] = {}
    for chunk in chunks:
        if chunk.ordinal in seen:
            yield _problem(ProblemKind.DOUBLED_ID, chunk, "its id is there more than once")
            continue
        seen[chunk.ordinal] = replace(chunk, text="", context=None)
        yield from _audit_text(chunk, max_bytes)
        first = texts.setdefault(_digest(chunk), seen[chunk.ordinal])
        if first.chunk_id != chunk.chunk_id:
            yield _doubled(chunk, first)
    in_order = [seen[ordinal] for ordinal in sorted(seen)]
    yield from _missing(in_order)
    yield from _orphans(in_order)
    yield from _fragment_gaps(in_order)


def _doubled(chunk: Chunk, first: Chunk) -> Problem:
    """A document may say the same in two places; the same place twice is our doing, and so are two versions."""
    repeats = chunk.version == first.version and chunk.char_from != first.char_from
    message = f"its text is that of {first.chunk_id}"
    return Problem(ProblemKind.DOUBLED_TEXT, chunk.source, chunk.chunk_id, message, is_warning=repeats)


def _audit_text(chunk: Chunk, max_bytes: int | None) -> Iterator[Problem]:
    if not chunk.text.strip():
        yield _problem(ProblemKind.EMPTY, chunk, "it has no text")
    size = len(chunk.search_text.encode())
    if max_bytes is not None and size > max_bytes and chunk.kind is not ChunkKind.PARENT:
        yield _problem(ProblemKind.TOO_LONG, chunk, f"it has {size} bytes, and the embedder takes {max_bytes} at once")


def _missing(chunks: Sequence[Chunk]) -> Iterator[Problem]:
    expected = 0
    for chunk in chunks:
        if chunk.ordinal > expected:
            count = chunk.ordinal - expected
            yield _problem(ProblemKind.MISSING, chunk, f"{count} chunks before it are missing, from {expected} on")
        expected = chunk.ordinal + 1


def _orphans(chunks: Sequence[Chunk]) -> Iterator[Problem]:
    parents = {chunk.ordinal for chunk in chunks if chunk.kind is ChunkKind.PARENT}
    for chunk in chunks:
        if chunk.parent is not None and chunk.parent not in parents:
            yield _problem(ProblemKind.ORPHAN, chunk, f"its parent, chunk {chunk.parent}, is not there")


def _fragment_gaps(chunks: Sequence[Chunk]) -> Iterator[Problem]:
    """Numbers rise by one through a section, which may have several parents in a row."""
    before: Chunk | None = None
    for chunk in chunks:
        if chunk.parent is None:
            continue
        if not (_follows(before, chunk) or _begins(before, chunk)):
            last = before.fragment if before else None
            yield _problem(ProblemKind.FRAGMENT_GAP, chunk, f"its fragment number is {chunk.fragment} after {last}")
        before = chunk


def _follows(before: Chunk | None, chunk: Chunk) -> bool:
    return (
        before is not None
        and before.fragment is not None
        and (chunk.fragment, chunk.section_path) == (before.fragment + 1, before.section_path)
    )


def _begins(before: Chunk | None, chunk: Chunk) -> bool:
    return chunk.fragment == 0 and (before is None or before.parent != chunk.parent)


def _digest(chunk: Chunk) -> bytes:
    """Of the text; rows are records, which may repeat, but not in the same place."""
    place = f"{chunk.char_from}|" if chunk.kind is ChunkKind.ROW else "|"
    return blake2b((place + chunk.text).encode(), digest_size=16).digest()


def _problem(kind: ProblemKind, chunk: Chunk, message: str) -> Problem:
    return Problem(kind, chunk.source, chunk.chunk_id, message)
