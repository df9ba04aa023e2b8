"""The numbered sources of one answer: 1…n without gaps, the same evidence once."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from ragstone.answering.places import Place
from ragstone.text import Span
from ragstone.types import Citation, Passage


@dataclass(slots=True)
class Sources:
    """Gives each cited stretch of a document its number; words inside a stretch that was cited are that source."""

    _cited: list[tuple[str, Citation]] = field(default_factory=list[tuple[str, Citation]])

    def cite(self, places: Iterable[Place]) -> tuple[Citation, ...]:
        return tuple(dict.fromkeys(self._citation(place.passage, span) for place in places for span in place.quotes))

    def _citation(self, passage: Passage, span: Span) -> Citation:
        chunk = passage.chunk
        start, end = chunk.char_from + span.start, chunk.char_from + span.end
        version = f"{chunk.document_id}-{chunk.version}"
        for cited, known in self._cited:
            if cited == version and known.start <= start and end <= known.end:
                return known
        page, page_to = chunk.pages_of(start, end)
        citation = Citation(
            number=len(self._cited) + 1,
            document=chunk.source,
            quote=chunk.text[span.start : span.end],
            start=start,
            end=end,
            chunk_id=chunk.chunk_id,
            page=page,
            page_to=page_to if page_to != page else None,
        )
        self._cited.append((version, citation))
        return citation
