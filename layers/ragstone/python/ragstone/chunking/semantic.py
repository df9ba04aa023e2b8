"""The semantic strategy: paragraphs stay together while each is about what the one before it was about."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise
from operator import mul
from typing import Self

from ragstone.chunking.base import ChunkSpan, GetEmbedder, chunkers
from ragstone.chunking.sized import tidy
from ragstone.chunking.splitting import Splitter
from ragstone.chunking.stretches import Stretch, stretches
from ragstone.chunking.structure import blocks_in, paragraphs, with_leads
from ragstone.ports import Embedder
from ragstone.settings import Settings
from ragstone.text import Span
from ragstone.types import ParsedDocument

NAME = "semantic"
FALLBACK_THRESHOLD = 0.55
FARTHEST = 2.0
"""The cosine distance of opposite vectors."""
EMBED_BATCH = 256


@dataclass(frozen=True, slots=True, kw_only=True)
class SemanticChunker:
    """Groups of at most `max_paragraphs`, in which each has a cosine distance below `threshold` to the one before.

    A paragraph longer than `paragraph_size` characters counts as several. Headings go with what they head.
    """

    embedder: Embedder
    threshold: float = FALLBACK_THRESHOLD
    max_paragraphs: int = 8
    paragraph_size: int = 1_000

    @classmethod
    def from_settings(cls, settings: Settings, embedder: GetEmbedder) -> Self:
        return cls(
            embedder=embedder(),
            threshold=settings.semantic_threshold,
            max_paragraphs=settings.semantic_max_paragraphs,
            paragraph_size=settings.chunk_size,
        )

    @classmethod
    def from_sample(cls, texts: Iterable[str], embedder: Embedder, *, max_paragraphs: int = 8) -> Self:
        """A chunker whose threshold is calibrated on texts like those that it will cut."""
        threshold = calibrate_distance_threshold(texts, embedder)
        return cls(embedder=embedder, threshold=threshold, max_paragraphs=max_paragraphs)

    @property
    def fingerprint(self) -> str:
        parts = (self.threshold, self.max_paragraphs, self.paragraph_size, self.embedder.spec)
        return "-".join([NAME, *map(str, parts)])

    def spans(self, document: ParsedDocument) -> Iterator[ChunkSpan]:
        for stretch in stretches(document):
            for group in self._groups(document.text, self._paragraphs(document, stretch)):
                yield ChunkSpan(group[0].start, group[-1].end, stretch.section)

    def _paragraphs(self, document: ParsedDocument, stretch: Stretch) -> list[Span]:
        found = blocks_in(document, stretch.start, stretch.end)
        blocks = with_leads(found, lambda start, end: end - start <= self.paragraph_size)
        splitter = Splitter(self.paragraph_size, 0)
        pieces = (splitter.split(document.text, block.start, block.end, stretch.formulas) for block in blocks)
        return list(tidy(document.text, chain.from_iterable(pieces)))

    def _groups(self, text: str, pieces: Sequence[Span]) -> Iterator[list[Span]]:
        group = list(pieces[:1])
        distances = adjacent_distances([text[piece.start : piece.end] for piece in pieces], self.embedder)
        for piece, distance in zip(pieces[1:], distances, strict=True):
            if distance >= self.threshold or len(group) == self.max_paragraphs:
                yield group
                group = []
            group.append(piece)
        if group:
            yield group


def calibrate_distance_threshold(
    texts: Iterable[str],
    embedder: Embedder,
    *,
    percentile: float = 0.85,
    margin: float = 0.05,
    fallback: float = FALLBACK_THRESHOLD,
) -> float:
    """A threshold for documents like `texts`: a percentile of their adjacent paragraphs' distances plus a margin.

    Between 0 and 2. Where no text has two paragraphs it is the fallback, and the embedder is not asked.
    """
    distances = sorted(
        distance
        for text in texts
        for distance in adjacent_distances(
            [text[block.start : block.end] for block in paragraphs(text, 0, len(text))], embedder
        )
    )
    if not distances:
        return fallback
    return min(max(_quantile(distances, percentile) + margin, 0.0), FARTHEST)


def adjacent_distances(texts: Sequence[str], embedder: Embedder) -> Iterator[float]:
    """The cosine distance of each text to the one before; one text alone is not embedded."""
    if len(texts) < 2:
        return
    batches = (texts[start : start + EMBED_BATCH] for start in range(0, len(texts), EMBED_BATCH))
    vectors = chain.from_iterable(embedder.embed_documents(batch) for batch in batches)
    for one, other in pairwise(vectors):
        yield 1.0 - sum(map(mul, one, other))


def _quantile(ordered: Sequence[float], share: float) -> float:
    """Linear between the two nearest values (Hyndman and Fan's type 7)."""
    place = share * (len(ordered) - 1)
    low = int(place)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (ordered[high] - ordered[low]) * (place - low)


chunkers.register(NAME)(SemanticChunker.from_settings)
