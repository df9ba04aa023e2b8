"""The section strategy: a section is a chunk, and a long one is a parent with fragments that are searched for it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Self

from ragstone.chunking.base import ChunkSpan, GetEmbedder, chunkers
from ragstone.chunking.packing import pack
from ragstone.chunking.sized import tidy
from ragstone.chunking.splitting import Splitter
from ragstone.chunking.stretches import Stretch, stretches
from ragstone.chunking.structure import LEADS, blocks_in, rows, runs, trimmed, with_leads
from ragstone.settings import Settings
from ragstone.text import Span
from ragstone.types import Block, BlockKind, ChunkKind, ParsedDocument

NAME = "section"


@dataclass(frozen=True, slots=True, kw_only=True)
class SectionChunker:
    """Sizes are in characters.

    A section up to `section_size` is one chunk. A longer one is cut into fragments of `fragment_size` that overlap,
    and into tables: whole up to `table_size`, beyond it between rows (each names its columns; a row that is longer
    alone is cut between its cells). Parents hold the fragments of a section; a section longer than `parent_size` has
    several in a row, since a chapter of a hundred pages is no context for anything.
    """

    section_size: int = 2_500
    fragment_size: int = 1_200
    fragment_overlap: int = 200
    table_size: int = 3_000
    parent_size: int = 20_000

    @classmethod
    def from_settings(cls, settings: Settings, embedder: GetEmbedder) -> Self:
        return cls(
            section_size=settings.section_size,
            fragment_size=settings.fragment_size,
            fragment_overlap=settings.fragment_overlap,
            table_size=settings.table_size,
            parent_size=settings.parent_size,
        )

    @property
    def fingerprint(self) -> str:
        sizes = (self.section_size, self.fragment_size, self.fragment_overlap, self.table_size, self.parent_size)
        return "-".join([NAME, *map(str, sizes)])

    def spans(self, document: ParsedDocument) -> Iterator[ChunkSpan]:
        position = 0
        for family in self._families(document):
            if len(family) == 1:
                yield family[0]
            else:
                yield replace(family[0], end=family[-1].end, kind=ChunkKind.PARENT)
                yield from (replace(fragment, parent=position) for fragment in family)
                position += 1
            position += len(family)

    def _families(self, document: ParsedDocument) -> Iterator[list[ChunkSpan]]:
        """What goes under one parent; a chunk that stands alone needs none."""
        for stretch in stretches(document):
            family: list[ChunkSpan] = []
            for span in self._chunks(document, stretch):
                if family and span.end - family[0].start > self.parent_size:
                    yield family
                    family = []
                family.append(span)
            if family:
                yield family

    def _chunks(self, document: ParsedDocument, stretch: Stretch) -> Iterator[ChunkSpan]:
        start, end = trimmed(document.text, stretch.start, stretch.end)
        blocks = list(blocks_in(document, stretch.start, stretch.end))
        if 0 < end - start <= self.section_size:
            yield ChunkSpan(start, end, stretch.section, _kind(blocks))
            return
        for run in runs(with_leads(blocks, self._fit_in_a_table)):
            kind = ChunkKind.TABLE if run.kind is BlockKind.TABLE else ChunkKind.TEXT
            for piece in tidy(document.text, self._pieces(document.text, stretch, run)):
                yield ChunkSpan(piece.start, piece.end, stretch.section, kind)

    def _pieces(self, text: str, stretch: Stretch, run: Block) -> Iterator[Span]:
        if run.kind is BlockKind.TABLE:
            return self._table(text, stretch, run)
        return Splitter(self.fragment_size, self.fragment_overlap).split(text, run.start, run.end, stretch.formulas)

    def _table(self, text: str, stretch: Stretch, table: Block) -> Iterator[Span]:
        whole = Splitter(self.table_size, 0)
        lines = (
            part
            for row in rows(text, table.start, table.end)
            for part in whole.split(text, row.start, row.end, stretch.formulas)
        )
        return pack(lines, size=self.table_size, overlap=0, length=lambda start, end: end - start)

    def _fit_in_a_table(self, start: int, end: int) -> bool:
        return end - start <= self.table_size


def _kind(blocks: list[Block]) -> ChunkKind:
    """A table's, if there is nothing else but what introduces it."""
    kinds = {block.kind for block in blocks} - set(LEADS)
    return ChunkKind.TABLE if kinds == {BlockKind.TABLE} else ChunkKind.TEXT


chunkers.register(NAME)(SectionChunker.from_settings)
