"""Where chunks are searched: OpenSearch, or a folder on disk."""

from ragstone.index.factory import build_index

__all__ = ["build_index"]
