"""A chunk index in memory, plain enough to be checked by reading; it passes the adapters' contract suite."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from operator import ge, gt, le, lt

from ragstone.analysis import document_tokens, query_tokens
from ragstone.entities import entities_of
from ragstone.errors import IndexMismatch, PermanentError
from ragstone.filters import as_text
from ragstone.types import (
    Chunk,
    ChunkKind,
    EmbeddedChunk,
    Filter,
    FilterOp,
    Hit,
    Legs,
    MetadataValue,
    SearchRequest,
    Vector,
)

K1, B = 1.2, 0.75
COMPARE = {FilterOp.GT: gt, FilterOp.GTE: ge, FilterOp.LT: lt, FilterOp.LTE: le}


@dataclass
class FakeStore:
    """What outlives an index object; `owner` is None while the index is not there."""

    owner: tuple[str, int] | None = None
    chunks: dict[str, EmbeddedChunk] = field(default_factory=dict[str, EmbeddedChunk])


@dataclass
class FakeIndex:
    """Exact search over a store; `failures` are raised by the next calls, one each."""

    embedder_spec: str = "fake"
    dimensions: int = 64
    store: FakeStore = field(default_factory=FakeStore)
    failures: list[Exception] = field(default_factory=list[Exception])

    def ensure(self) -> None:
        self._fail()
        owner = (self.embedder_spec, self.dimensions)
        self.store.owner = self.store.owner or owner
        if self.store.owner != owner:
            raise IndexMismatch(
                f"the index is {self.store.owner}'s, not {owner}'s: build a new one with: ragstone reindex"
            )

    def add(self, chunks: Iterable[EmbeddedChunk]) -> None:
        chunks = list(chunks)
        for embedded in chunks:
            if len(embedded.vector) != self.dimensions or not math.isclose(
                math.hypot(*embedded.vector), 1, rel_tol=0.01
            ):
                raise PermanentError(
                    f"the vector of chunk {embedded.chunk.chunk_id} is not {self.dimensions} unit floats"
                )
        if chunks:
            self.ensure()
        self.store.chunks.update({embedded.chunk.chunk_id: embedded for embedded in chunks})

    def remove(self, document_id: str, *, version: str | None = None, keep: str | None = None) -> None:
        self._fail()
        for chunk_id, embedded in list(self.store.chunks.items()):
            chunk = embedded.chunk
            if chunk.document_id == document_id and version in (None, chunk.version) and chunk.version != keep:
                del self.store.chunks[chunk_id]

    def search(self, request: SearchRequest) -> Legs:
        self._fail()
        found = [item for item in self.store.chunks.values() if is_readable(item.chunk, request)]
        bm25 = bm25_scores(request.text, [item.chunk for item in self.store.chunks.values()])
        lexical = [Hit(item.chunk, bm25[item.chunk.chunk_id]) for item in found]
        dense = [Hit(item.chunk, cosine(item.vector, request.vector)) for item in found]
        return Legs(best([hit for hit in lexical if hit.score > 0], request.depth), best(dense, request.depth))

    def count(self, document_id: str | None = None) -> int:
        self._fail()
        return sum(document_id in (None, item.chunk.document_id) for item in self.store.chunks.values())

    def document_ids(self, *, after: str = "") -> Iterator[str]:
        found = {embedded.chunk.document_id for embedded in self.store.chunks.values()}
        yield from sorted(document_id for document_id in found if document_id > after)

    def chunks(self, document_id: str | None = None, *, after: str = "") -> Iterator[Chunk]:
        found = (self.store.chunks[chunk_id].chunk for chunk_id in sorted(self.store.chunks) if chunk_id > after)
        return (chunk for chunk in found if document_id in (None, chunk.document_id))

    def fetch(
        self, chunk_ids: Sequence[str], *, filters: Sequence[Filter] = (), groups: Sequence[str] = ()
    ) -> list[Chunk]:
        request = SearchRequest("", (), 0, tuple(filters), tuple(groups))
        return [each for each in self.chunks() if each.chunk_id in chunk_ids and is_readable(each, request)]

    def drop(self) -> None:
        self._fail()
        self.store.owner = None
        self.store.chunks.clear()

    def _fail(self) -> None:
        if self.failures:
            raise self.failures.pop(0)


def best(hits: Sequence[Hit], depth: int) -> tuple[Hit, ...]:
    return tuple(sorted(hits, key=lambda hit: (-hit.score, hit.chunk.chunk_id))[:depth])


def cosine(one: Vector, other: Vector) -> float:
    return sum(a * b for a, b in zip(one, other, strict=True))


def bm25_scores(text: str, chunks: Sequence[Chunk]) -> dict[str, float]:
    """Okapi BM25 of each chunk by id: sum of idf * tf * (k1 + 1) / (tf + k1 * (1 - b + b * length / mean length))."""
    counts = {chunk.chunk_id: Counter(document_tokens(chunk.search_text, chunk.language)) for chunk in chunks}
    mean = sum(c.total() for c in counts.values()) / max(1, len(counts))
    scores = dict.fromkeys(counts, 0.0)
    for word in query_tokens(text):
        holders = [chunk_id for chunk_id, count in counts.items() if word in count]
        idf = math.log(1 + (len(counts) - len(holders) + 0.5) / (len(holders) + 0.5))
        for chunk_id in holders:
            tf, length = counts[chunk_id][word], counts[chunk_id].total()
            scores[chunk_id] += idf * tf * (K1 + 1) / (tf + K1 * (1 - B + B * length / mean))
    return scores


def is_readable(chunk: Chunk, request: SearchRequest) -> bool:
    readable = not chunk.acl or not set(chunk.acl).isdisjoint(request.groups)
    return readable and all(matches(chunk, given) for given in request.filters)


def matches(chunk: Chunk, given: Filter) -> bool:
    """What a filter means, in the words of `ragstone.filters`."""
    value = field_value(chunk, given.field)
    texts = {as_text(item) for item in (value if isinstance(value, tuple) else (value,)) if item is not None}
    wanted = {as_text(item) for item in (given.value if isinstance(given.value, tuple) else (given.value,))}
    match given.op:
        case FilterOp.EQ | FilterOp.IN:
            return not texts.isdisjoint(wanted)
        case FilterOp.NE | FilterOp.NOT_IN:
            return texts.isdisjoint(wanted)
        case FilterOp.EXISTS:
            return bool(texts) == given.value
        case FilterOp.CONTAINS:
            (part,) = wanted
            return part in texts if isinstance(value, tuple) else any(part in text for text in texts)
        case _:
            mine, other = place(value), place(given.value)
            return (
                mine is not None and other is not None and mine[0] == other[0] and COMPARE[given.op](mine[1], other[1])
            )


def field_value(chunk: Chunk, name: str) -> MetadataValue | None:
    own = {
        "source": chunk.source,
        "title": chunk.title,
        "language": chunk.language,
        "kind": chunk.kind.value,
        "back_matter": chunk.is_back_matter,
        "entity": () if chunk.kind is ChunkKind.PARENT else entities_of(chunk.text, chunk.language),
    }
    return own[name] if name in own else chunk.metadata.get(name.removeprefix("metadata."))


def place(value: MetadataValue | None) -> tuple[str, float] | None:
    if value is None or isinstance(value, bool | tuple):
        return None
    try:
        if isinstance(value, str) and "-" in value[1:]:
            moment = datetime.fromisoformat(value)
            return "date", (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
        return "number", float(value)
    except ValueError:
        return None
