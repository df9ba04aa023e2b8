"""Fragments are found, and the section that they are of is given to the answerer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ragstone.ports import ChunkReader
from ragstone.retrieval.base import Tools, strategies
from ragstone.retrieval.strategies.hybrid import Hybrid
from ragstone.retrieval.trace import Trace
from ragstone.settings import Settings
from ragstone.types import Chunk, Passage, Query


@dataclass(frozen=True, slots=True, kw_only=True)
class Hierarchical:
    """A section ranks by its best fragment and keeps that one's scores; a chunk without a parent is its own section.

    A parent that the filters or its access list keep from the caller leaves the fragment in its place. It is of the
    same document version as its fragments, for which the registry has spoken already.
    """

    base: Hybrid
    reader: ChunkReader

    def find(self, query: Query, trace: Trace) -> list[Passage]:
        """The best fragment of each section."""
        families: dict[str, list[Passage]] = {}
        for passage in self.base.find(query, trace):
            families.setdefault(_section_of(passage.chunk), []).append(passage)
        return [replace(found[0], fragments=tuple(p.chunk.chunk_id for p in found)) for found in families.values()]

    def widen(self, passages: Sequence[Passage], query: Query, trace: Trace) -> list[Passage]:
        wanted = [_section_of(passage.chunk) for passage in passages if passage.chunk.parent is not None]
        if not wanted:
            return list(passages)
        with trace.stage("expand"):
            parents = self.reader.fetch(wanted, filters=query.filters, groups=query.groups)
        found = {parent.chunk_id: parent for parent in parents}
        return [replace(p, chunk=found.get(_section_of(p.chunk), p.chunk)) for p in passages]


def _section_of(chunk: Chunk) -> str:
    """The id of the chunk's parent, or its own."""
    return chunk.chunk_id if chunk.parent is None else replace(chunk, ordinal=chunk.parent).chunk_id


@strategies.register("hierarchical")
def build(settings: Settings, tools: Tools) -> Hierarchical:
    return Hierarchical(base=Hybrid.of(settings, tools), reader=tools.reader)
