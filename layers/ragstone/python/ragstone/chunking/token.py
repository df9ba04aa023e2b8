"""The token strategy: windows of the same number of tokens, as models count."""

from __future__ import annotations

from typing import ClassVar, Self

from ragstone.chunking.base import GetEmbedder, chunkers
from ragstone.chunking.fixed import FixedChunker
from ragstone.chunking.tokenizers import build_tokenizer
from ragstone.settings import Settings


class TokenChunker(FixedChunker):
    """Fixed windows whose size is always in tokens, whatever unit the settings name."""

    name: ClassVar[str] = "token"

    @classmethod
    def from_settings(cls, settings: Settings, embedder: GetEmbedder) -> Self:
        return cls(settings.chunk_size, settings.overlap, build_tokenizer(settings.tokenizer))


chunkers.register(TokenChunker.name)(TokenChunker.from_settings)
