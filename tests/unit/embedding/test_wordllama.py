import subprocess
import sys
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from ragstone.embedding import build_embedder
from ragstone.embedding.wordllama import WordLlamaEmbedder, pooling
from ragstone.errors import SettingsError
from ragstone.text import encodable
from ragstone.types import Vector


def cosine(one: Vector, other: Vector) -> float:
    return sum(a * b for a, b in zip(one, other, strict=True))


def test_a_question_is_nearest_to_the_passage_that_answers_it() -> None:
    embedder = build_embedder("wordllama")
    passages = ["Night fares begin at ten in the evening.", "Dogs ride free of charge.", "The depot has forty trams."]
    question = embedder.embed_query("When do fares at night begin?")
    nearest = max(embedder.embed_documents(passages), key=lambda vector: cosine(question, vector))
    assert nearest == embedder.embed_documents(passages)[0]


def test_a_blank_text_is_near_to_no_passage() -> None:
    embedder = build_embedder("wordllama")
    passages = ["Night fares begin at ten.", "Dogs ride free.", "Nachts fährt die Linie 7 nicht.", "深夜运费", "1 2 3"]
    [blank] = embedder.embed_documents([""])
    assert all(abs(cosine(blank, vector)) < 0.25 for vector in embedder.embed_documents(passages))


def test_batches_are_bounded_in_texts_and_bytes() -> None:
    shapes: list[tuple[int, int]] = []

    def embed(texts: list[str]) -> NDArray[np.float32]:
        shapes.append((len(texts), max(map(len, texts))))
        return np.ones((len(texts), 256), np.float32)

    vectors = WordLlamaEmbedder(embed).embed_documents(["short"] * 300 + ["x" * 2_000_000] + ["short"] * 2)
    assert len(vectors) == 303
    assert shapes == [(256, 5), (44, 5), (1, 2_000_000), (2, 5)]


@cache
def model(copy: str) -> Any:
    """WordLlama itself; `pooling` takes the padding off its copy's tokenizer."""
    wordllama: Any = import_module("wordllama")
    return wordllama.WordLlama.load(cache_dir=Path(wordllama.__file__).parent, dim=256, disable_download=True)


@given(st.lists(st.text(), min_size=1, max_size=8))
def test_vectors_are_those_of_wordllama_itself(texts: list[str]) -> None:
    whole = [encodable(text) for text in texts]
    ours = pooling(model("ours").tokenizer, model("ours").embedding)
    assert np.allclose(ours(whole), model("theirs").embed(whole), atol=1e-6)


def test_a_vector_does_not_depend_on_its_batch() -> None:
    embedder = build_embedder("wordllama")
    alone = embedder.embed_documents(["Dogs ride free."])[0]
    among = embedder.embed_documents(["Dogs ride free.", "A much longer text. " * 200])[0]
    assert among == pytest.approx(alone, abs=1e-6)


def test_a_model_s_name_is_refused() -> None:
    with pytest.raises(SettingsError, match="write just wordllama"):
        build_embedder("wordllama:large")


def test_loading_it_leaves_logging_as_it_was() -> None:
    program = (
        "import logging; from ragstone.embedding import build_embedder; build_embedder('wordllama');"
        "root = logging.getLogger(); assert (root.level, root.handlers) == (logging.WARNING, []), root.handlers"
    )
    subprocess.run([sys.executable, "-c", program], check=True, env={"PYTHONPATH": ":".join(sys.path)})
