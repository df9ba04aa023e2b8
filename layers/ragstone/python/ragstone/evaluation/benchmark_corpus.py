"""A benchmark's passages as chunks of documents, and the registry in which all of them are current."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import NamedTuple

from ragstone.evaluation.benchmark_files import BenchmarkPassage
from ragstone.ports import ChunkIndex, Embedder
from ragstone.types import Chunk, ChunkKind, CurrentVersion, EmbeddedChunk, Passage

BATCH = 256
VERSION = "benchmark"
SEPARATOR = "\n\n"


class Place(NamedTuple):
    """Where a passage stands in its document, `[start, end)` in characters."""

    start: int
    end: int
    passage_id: str


@dataclass(frozen=True, slots=True)
class BenchmarkCorpus:
    """`chunks` by document, and the `places` of the passages in each document, by its id.

    `sections` names the section of each passage that has one, `alone` are the others: each is its own document.
    """

    chunks: tuple[Chunk, ...]
    places: Mapping[str, Sequence[Place]]
    sections: Mapping[str, str]
    alone: frozenset[str]

    @classmethod
    def of(cls, passages: Sequence[BenchmarkPassage]) -> BenchmarkCorpus:
        """Passages with a section make one document a title, as fragments; each of the others is a document."""
        documents = _grouped(passages, lambda passage: passage.title if passage.section else passage.id)
        made = [pair for name, members in documents.items() for pair in _chunks(name, members)]
        places: dict[str, list[Place]] = {}
        for chunk, passage_id in made:
            if passage_id is not None:
                places.setdefault(chunk.document_id, []).append(Place(chunk.char_from, chunk.char_to, passage_id))
        return cls(
            chunks=tuple(chunk for chunk, _ in made),
            places=places,
            sections={passage.id: f"{passage.title} > {passage.section}" for passage in passages if passage.section},
            alone=frozenset(passage.id for passage in passages if not passage.section),
        )

    def passage_ids(self, passage: Passage) -> frozenset[str]:
        """The passages whose text an answerer is given with this piece of evidence, its near-duplicates included."""
        chunk = passage.chunk
        whole = [p for p in self.places[chunk.document_id] if chunk.char_from <= p.start and p.end <= chunk.char_to]
        return self.alone.intersection(passage.also_in).union(place.passage_id for place in whole)

    def sections_of(self, passage: Passage) -> frozenset[str]:
        return frozenset(self.sections[name] for name in self.passage_ids(passage) if name in self.sections)

    def write(self, index: ChunkIndex, embedder: Embedder) -> None:
        """Embed and write every chunk, a batch at a time."""
        for start in range(0, len(self.chunks), BATCH):
            batch = self.chunks[start : start + BATCH]
            vectors = embedder.embed_documents([chunk.search_text for chunk in batch])
            index.add([EmbeddedChunk(chunk, vector) for chunk, vector in zip(batch, vectors, strict=True)])


class AllCurrent:
    """Says of every document that the benchmark's version of it is true, and that everybody may read it."""

    def current(self, document_ids: Sequence[str]) -> Mapping[str, CurrentVersion]:
        return dict.fromkeys(document_ids, CurrentVersion(VERSION))


def _chunks(name: str, passages: Sequence[BenchmarkPassage]) -> list[tuple[Chunk, str | None]]:
    """A document's chunks with the passages' ids: of a section with several a parent, without one, then each."""
    made: list[tuple[Chunk, str | None]] = []
    start = 0
    for members in _grouped(passages, lambda passage: passage.section).values():
        section = _section(name, members, ordinal=len(made), start=start)
        if len(members) > 1:
            made.append((section, None))
        for number, passage in enumerate(members):
            piece = replace(section, text=passage.text, char_from=start, char_to=start + len(passage.text))
            if len(members) > 1:
                family = {"parent": section.ordinal, "fragment": number, "ordinal": len(made)}
                piece = replace(piece, kind=ChunkKind.TEXT, **family)
            made.append((replace(piece, metadata=passage.metadata), passage.id))
            start = piece.char_to + len(SEPARATOR)
    return made


def _section(name: str, members: Sequence[BenchmarkPassage], *, ordinal: int, start: int) -> Chunk:
    """All of a section as one chunk."""
    text = SEPARATOR.join(passage.text for passage in members)
    first = members[0]
    return Chunk(
        document_id=sha256(name.encode()).hexdigest()[:32],
        version=VERSION,
        ordinal=ordinal,
        source=name,
        text=text,
        char_from=start,
        char_to=start + len(text),
        section_start=start if first.section else None,
        kind=ChunkKind.PARENT if len(members) > 1 else ChunkKind.TEXT,
        title=first.title or None,
        section_path=(first.section,) if first.section else (),
    )


def _grouped(
    passages: Iterable[BenchmarkPassage], key: Callable[[BenchmarkPassage], str]
) -> Mapping[str, list[BenchmarkPassage]]:
    groups: dict[str, list[BenchmarkPassage]] = {}
    for passage in passages:
        groups.setdefault(key(passage), []).append(passage)
    return groups
