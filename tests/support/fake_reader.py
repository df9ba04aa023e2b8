"""A chunk reader in memory."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from ragstone.types import Chunk, Filter, may_read


@dataclass
class FakeReader:
    """`read` counts the chunks that were fetched, which are fetched one by one."""

    stored: list[Chunk] = field(default_factory=list[Chunk])
    read: int = 0

    def chunks(self, document_id: str | None = None, *, after: str = "") -> Iterator[Chunk]:
        for chunk in sorted(self.stored, key=lambda chunk: chunk.chunk_id):
            if document_id in (None, chunk.document_id) and chunk.chunk_id > after:
                self.read += 1
                yield chunk

    def document_ids(self, *, after: str = "") -> Iterator[str]:
        yield from sorted({chunk.document_id for chunk in self.stored if chunk.document_id > after})

    def fetch(
        self, chunk_ids: Sequence[str], *, filters: Sequence[Filter] = (), groups: Sequence[str] = ()
    ) -> list[Chunk]:
        found = [chunk for chunk in self.stored if chunk.chunk_id in chunk_ids and may_read(chunk.acl, groups)]
        self.read += len(found)
        return found
