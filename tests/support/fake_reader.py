"""A chunk reader in memory."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from ragstone.types import Chunk


@dataclass
class FakeReader:
    """`read` counts the chunks that were fetched, which are fetched one by one."""

    stored: list[Chunk] = field(default_factory=list[Chunk])
    read: int = 0

    def chunks(self, document_id: str | None = None) -> Iterator[Chunk]:
        for chunk in self.stored:
            if document_id in (None, chunk.document_id):
                self.read += 1
                yield chunk
