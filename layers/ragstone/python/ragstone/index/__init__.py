"""Where chunks are searched: OpenSearch, or a folder on disk."""

from ragstone.index.factory import build_aliases, build_index, build_reader

__all__ = ["build_aliases", "build_index", "build_reader"]
