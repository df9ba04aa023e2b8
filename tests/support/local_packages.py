"""Stand-ins for the packages of local models, with the same call shape: installed into a folder for one test."""

from __future__ import annotations

import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import pytest

DIMENSIONS = 8
MAX_TOKENS = 100
UNKNOWN = "no-such/model"

FASTEMBED = f"""
import numpy as np
from tests.support.provider_dialects import vector_of

class TextEmbedding:
    embedding_size = {DIMENSIONS}

    def __init__(self, model_name="BAAI/bge-small-en-v1.5", cache_dir=None, threads=None, **kwargs):
        if model_name == "{UNKNOWN}":
            raise ValueError(f"Model {{model_name}} is not supported in TextEmbedding.")

    def passage_embed(self, texts, **kwargs):
        yield from (np.array(vector_of(text), np.float32) for text in texts)

    def query_embed(self, query, **kwargs):
        yield from self.passage_embed([query] if isinstance(query, str) else query)
"""

SENTENCE_TRANSFORMERS = f"""
import numpy as np
from tests.support.provider_dialects import vector_of

class SentenceTransformer:
    max_seq_length = {MAX_TOKENS}

    def __init__(self, model_name_or_path=None, **kwargs):
        if model_name_or_path == "{UNKNOWN}":
            raise OSError(f"{{model_name_or_path}} is not a local folder and is not a valid model identifier")

    def get_embedding_dimension(self):
        return {DIMENSIONS}

    def encode_document(self, inputs, show_progress_bar=None, **kwargs):
        return np.array([vector_of(text) for text in inputs], np.float32)

    def encode_query(self, inputs, show_progress_bar=None, **kwargs):
        return self.encode_document(["query: " + text for text in inputs])
"""

PACKAGES = {"fastembed": FASTEMBED, "sentence_transformers": SENTENCE_TRANSFORMERS}


@contextmanager
def local_packages(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Generator[None]:
    for name, source in PACKAGES.items():
        (folder / f"{name}.py").write_text(source)
        sys.modules.pop(name, None)
    monkeypatch.syspath_prepend(folder)
    yield
    for name in PACKAGES:
        sys.modules.pop(name, None)
