"""Chunking strategies by name: each cuts a parsed document into spans of its text."""

from ragstone.chunking.base import Chunker, ChunkSpan, build_chunker, chunkers
from ragstone.chunking.fixed import FixedChunker
from ragstone.chunking.markdown_header import MarkdownHeaderChunker
from ragstone.chunking.paragraph import ParagraphChunker
from ragstone.chunking.per_row import PerRowChunker
from ragstone.chunking.recursive import RecursiveChunker
from ragstone.chunking.section import SectionChunker
from ragstone.chunking.semantic import SemanticChunker, calibrate_distance_threshold
from ragstone.chunking.sentence import SentenceChunker
from ragstone.chunking.token import TokenChunker

__all__ = [
    "ChunkSpan",
    "Chunker",
    "FixedChunker",
    "MarkdownHeaderChunker",
    "ParagraphChunker",
    "PerRowChunker",
    "RecursiveChunker",
    "SectionChunker",
    "SemanticChunker",
    "SentenceChunker",
    "TokenChunker",
    "build_chunker",
    "calibrate_distance_threshold",
    "chunkers",
]
