"""What no question is about: chunks that are mostly dots or next to nothing."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from ragstone.chunking.back_matter import mark_back_matter
from ragstone.chunking.base import ChunkSpan
from ragstone.settings import Settings
from ragstone.types import ChunkKind

# The dots that lead from a title to its page, but not decimal points.
LEADER = re.compile(r"[.…·․‥](?!\d)")
RECORDS = (ChunkKind.ROW, ChunkKind.TABLE)


@dataclass(frozen=True, slots=True, kw_only=True)
class ChunkFilters:
    """Drops chunks of fewer than `min_characters` (0: none) or with a larger share of dots than `max_dot_share`.

    Rows and tables are records, however short. A parent goes when all of its fragments do. A document that would
    lose every chunk keeps them all: a note of twelve characters is still a document.
    """

    min_characters: int = 20
    max_dot_share: float = 0.15

    @classmethod
    def from_settings(cls, settings: Settings) -> ChunkFilters:
        return cls(min_characters=settings.min_chunk_characters, max_dot_share=settings.max_dot_share)

    @property
    def fingerprint(self) -> str:
        return f"filters-{self.min_characters}-{self.max_dot_share}"

    def mark(self, text: str, spans: Sequence[ChunkSpan]) -> list[ChunkSpan]:
        """The spans, those marked that are to be dropped and those that are back matter."""
        marked = [span if self._keeps(text, span) else replace(span, is_dropped=True) for span in spans]
        kept = {span.parent for span in marked if not span.is_dropped}  # the positions of parents
        marked = [
            replace(span, is_dropped=position not in kept) if span.kind is ChunkKind.PARENT else span
            for position, span in enumerate(marked)
        ]
        return mark_back_matter(marked if any(not span.is_dropped for span in marked) else spans)

    def _keeps(self, text: str, span: ChunkSpan) -> bool:
        length = span.end - span.start
        long_enough = length >= self.min_characters or span.kind in RECORDS
        dots = len(LEADER.findall(text, span.start, span.end))
        return long_enough and dots <= self.max_dot_share * length


KEEP_ALL = ChunkFilters(min_characters=0, max_dot_share=1.0)
