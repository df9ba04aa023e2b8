"""The chunk index that the settings name."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import unquote, urlsplit

from ragstone.errors import SettingsError
from ragstone.ports import ChunkIndex, ChunkReader, Embedder, IndexAliases
from ragstone.settings import Settings


def build_index(settings: Settings, embedder: Embedder) -> ChunkIndex:
    """The index at `index_url` for this embedder's vectors; raises SettingsError for a URL of another kind."""
    folder = _folder(settings)
    return _opensearch(settings, embedder) if folder is None else _embedded(folder, settings, embedder)


def build_reader(settings: Settings) -> ChunkReader:
    """What reads that index back; it needs no embedder."""
    folder = _folder(settings)
    if folder is None:
        from ragstone.index.client import connect
        from ragstone.index.readers import OpenSearchReader

        return OpenSearchReader(connect(settings), name=settings.index_name)
    from ragstone.index.readers import EmbeddedReader

    return EmbeddedReader(folder, name=settings.index_name)


def build_aliases(settings: Settings) -> IndexAliases:
    """Those of the indexes whose names begin with `index_name`."""
    from ragstone.index.aliases import NoAliases, OpenSearchAliases

    if _folder(settings) is not None:
        return NoAliases()
    from ragstone.index.client import connect

    return OpenSearchAliases(connect(settings), name=settings.index_name)


def _folder(settings: Settings) -> Path | None:
    """Where an index on disk lies; None for one of an OpenSearch service."""
    url = urlsplit(settings.index_url)
    if url.scheme == "lancedb" and not url.netloc and url.path.startswith("/"):
        return Path(unquote(url.path))
    if url.scheme in ("http", "https") and url.hostname:
        return None
    known = "lancedb:///absolute/path, or the http(s) URL of an OpenSearch service"
    raise SettingsError(f"RAGSTONE_INDEX_URL is {settings.index_url!r}; write {known}")


def _embedded(path: Path, settings: Settings, embedder: Embedder) -> ChunkIndex:
    from ragstone.index.embedded import EmbeddedIndex

    return EmbeddedIndex(path, name=settings.index_name, embedder_spec=embedder.spec, dimensions=embedder.dimensions)


def _opensearch(settings: Settings, embedder: Embedder) -> ChunkIndex:
    from ragstone.index.client import connect
    from ragstone.index.opensearch import OpenSearchIndex
    from ragstone.index.profiles import PROFILES

    return OpenSearchIndex(
        connect(settings),
        name=settings.index_name,
        embedder_spec=embedder.spec,
        dimensions=embedder.dimensions,
        profile=PROFILES[settings.index_profile].sized(settings.index_gib),
    )
