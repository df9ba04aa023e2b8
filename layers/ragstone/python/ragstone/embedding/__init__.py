"""Embedding providers by name: `build_embedder("openai:text-embedding-3-small")`."""

from ragstone.embedding import bedrock, fastembed, openai, sentence_transformers, wordllama
from ragstone.embedding.cached import CachedEmbedder
from ragstone.embedding.registry import build_embedder, embedders

__all__ = [
    "CachedEmbedder",
    "bedrock",
    "build_embedder",
    "embedders",
    "fastembed",
    "openai",
    "sentence_transformers",
    "wordllama",
]
