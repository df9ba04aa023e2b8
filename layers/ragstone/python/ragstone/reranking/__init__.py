"""Rerankers by provider: `build_reranker("cohere:rerank-v4.0-fast", seconds=2)`."""

from ragstone.reranking import bedrock, fastembed, listwise, served
from ragstone.reranking.registry import build_reranker, rerankers

__all__ = ["bedrock", "build_reranker", "fastembed", "listwise", "rerankers", "served"]
