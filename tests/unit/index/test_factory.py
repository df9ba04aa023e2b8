from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from ragstone.errors import SettingsError
from ragstone.index import build_index, build_reader
from ragstone.index.embedded import EmbeddedIndex
from ragstone.index.opensearch import OpenSearchIndex
from ragstone.index.readers import EmbeddedReader, OpenSearchReader
from ragstone.settings import Settings
from tests.support.fake_embedder import FakeEmbedder


def test_importing_the_package_loads_no_engine_s_library() -> None:
    check = "import sys, ragstone.index; print({'lancedb', 'opensearchpy', 'boto3'} & set(sys.modules))"
    printed = subprocess.check_output([sys.executable, "-c", check], env={"PYTHONPATH": ":".join(sys.path)})
    assert printed == b"set()\n"


def test_a_path_is_an_index_on_disk(tmp_path: Path) -> None:
    folder = tmp_path / "with space"
    index = build_index(Settings(index_url=f"lancedb://{tmp_path}/with%20space"), FakeEmbedder())
    assert isinstance(index, EmbeddedIndex)
    index.ensure()
    assert [entry.name for entry in folder.iterdir()] == ["chunks.lance"]


@pytest.mark.parametrize("url", ["http://localhost:9200", "https://search.example.org"])
def test_a_url_is_an_opensearch_service(url: str) -> None:
    assert isinstance(build_index(Settings(index_url=url), FakeEmbedder()), OpenSearchIndex)


def test_the_same_settings_name_what_reads_the_index_back(tmp_path: Path) -> None:
    assert isinstance(build_reader(Settings(index_url=f"lancedb://{tmp_path}")), EmbeddedReader)
    assert isinstance(build_reader(Settings(index_url="http://localhost:9200")), OpenSearchReader)
    with pytest.raises(SettingsError, match="lancedb:///absolute/path"):
        build_reader(Settings(index_url="chunks"))


@pytest.mark.parametrize("url", ["lancedb://relative/path", "lancedb:", "s3://bucket", "chunks", "http://"])
def test_another_url_is_refused_with_the_known_forms(url: str) -> None:
    with pytest.raises(SettingsError, match="lancedb:///absolute/path"):
        build_index(Settings(index_url=url), FakeEmbedder())
