"""Embedding providers by name: `build_embedder("openai:text-embedding-3-small")`."""

from ragstone.embedding import bedrock, openai, wordllama
from ragstone.embedding.registry import build_embedder, embedders

__all__ = ["bedrock", "build_embedder", "embedders", "openai", "wordllama"]
