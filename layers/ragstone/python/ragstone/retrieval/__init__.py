"""Finds the passages that an answer may rest on."""

from ragstone.retrieval.hybrid import HybridRetriever

__all__ = ["HybridRetriever"]
