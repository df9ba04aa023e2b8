"""Chunking strategies by name: each cuts a parsed document into spans of its text."""

from ragstone.chunking.base import Chunker, ChunkSpan, chunkers
from ragstone.chunking.recursive import RecursiveChunker

__all__ = ["ChunkSpan", "Chunker", "RecursiveChunker", "chunkers"]
