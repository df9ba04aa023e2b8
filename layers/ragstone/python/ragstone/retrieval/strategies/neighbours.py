"""Fragments are found, and each is given to the answerer with the ones before and after it in its section."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from ragstone.ports import ChunkReader
from ragstone.retrieval.base import Tools, strategies
from ragstone.retrieval.stitching import joined, runs
from ragstone.retrieval.strategies.hybrid import Hybrid
from ragstone.retrieval.trace import Trace
from ragstone.settings import Settings
from ragstone.types import Chunk, ChunkKind, Passage, Query


@dataclass(frozen=True, slots=True, kw_only=True)
class Neighbours:
    """Up to `reach` chunks each way, never of another section, and never any that the caller may not read.

    Chunks that overlap or touch become one passage, whose text is the document's. Between others something was left
    out, if only white space: a neighbour of that kind is a passage of its own, right after the one it was read for.
    Passages that share a neighbour become one, in the place of the better.
    """

    base: Hybrid
    reader: ChunkReader
    reach: int

    def find(self, query: Query, trace: Trace) -> list[Passage]:
        return self.base.find(query, trace)

    def widen(self, passages: Sequence[Passage], query: Query, trace: Trace) -> list[Passage]:
        known = {passage.chunk.chunk_id: passage.chunk for passage in passages}
        wanted = {place.chunk_id for passage in passages for place in self._places(passage.chunk)} - known.keys()
        if not wanted:
            return list(passages)
        with trace.stage("expand"):
            filters = (*query.filters, *self.base.candidates.exclusions)
            read = self.reader.fetch(sorted(wanted), filters=filters, groups=query.groups)
            known |= {chunk.chunk_id: chunk for chunk in read}
            return [made for group in self._groups(passages, known) for made in group.passages()]

    def _groups(self, passages: Iterable[Passage], known: Mapping[str, Chunk]) -> list[_Group]:
        groups: list[_Group] = []
        for passage in passages:
            around = {chunk.chunk_id: chunk for chunk in self._around(passage.chunk, known)}
            group = next((group for group in groups if not group.chunks.keys().isdisjoint(around)), None)
            if group is None:
                groups.append(group := _Group())
            group.chunks |= around
            group.found[passage.chunk.chunk_id] = passage
        return groups

    def _around(self, chunk: Chunk, known: Mapping[str, Chunk]) -> Iterator[Chunk]:
        """The chunk, and its neighbours as far as they are there one after the other."""
        yield chunk
        for steps in (range(-1, -self.reach - 1, -1), range(1, self.reach + 1)):
            for step in steps:
                neighbour = known.get(_at(chunk, step).chunk_id)
                if neighbour is None or not _same_section(chunk, neighbour):
                    break
                yield neighbour

    def _places(self, chunk: Chunk) -> Iterator[Chunk]:
        steps = (step for step in range(-self.reach, self.reach + 1) if step and chunk.ordinal + step >= 0)
        return (_at(chunk, step) for step in steps)


@dataclass(slots=True)
class _Group:
    """Chunks of one section, and the passages that were found among them, best first."""

    chunks: dict[str, Chunk] = field(default_factory=dict[str, Chunk])
    found: dict[str, Passage] = field(default_factory=dict[str, Passage])

    def passages(self) -> list[Passage]:
        """What was found first, then what only stands beside it."""
        made = map(self._passage, runs(self.chunks.values()))
        return sorted(made, key=lambda passage: (not passage.fragments, -passage.fused_score))

    def _passage(self, run: Sequence[Chunk]) -> Passage:
        ids = {chunk.chunk_id for chunk in run}
        found = [passage for chunk_id, passage in self.found.items() if chunk_id in ids]
        if not found:
            leader = next(iter(self.found.values()))
            return Passage(joined(run, run[0]), leader.fused_score)
        fragments = tuple(passage.chunk.chunk_id for passage in found)
        return replace(found[0], chunk=joined(run, found[0].chunk), fragments=fragments)


def _at(chunk: Chunk, step: int) -> Chunk:
    """Stands for the chunk so many places on: it has its id."""
    return replace(chunk, ordinal=chunk.ordinal + step)


def _same_section(one: Chunk, other: Chunk) -> bool:
    in_one = (one.section_start, one.section_path) == (other.section_start, other.section_path)
    return in_one and other.kind is not ChunkKind.PARENT


@strategies.register("neighbours")
def build(settings: Settings, tools: Tools) -> Neighbours:
    return Neighbours(base=Hybrid.of(settings, tools), reader=tools.reader, reach=settings.neighbours)
