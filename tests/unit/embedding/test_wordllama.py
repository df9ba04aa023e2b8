import subprocess
import sys

import numpy as np
import pytest
from numpy.typing import NDArray

from ragstone.embedding import build_embedder
from ragstone.embedding.wordllama import WordLlamaEmbedder
from ragstone.errors import SettingsError
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


def test_batches_are_small_in_texts_and_in_padded_size() -> None:
    shapes: list[tuple[int, int]] = []

    def embed(texts: list[str]) -> NDArray[np.float32]:
        shapes.append((len(texts), max(map(len, texts))))
        return np.ones((len(texts), 256), np.float32)

    vectors = WordLlamaEmbedder(embed).embed_documents(["short"] * 40 + ["x" * 60_000] + ["short"] * 2)
    assert len(vectors) == 43
    assert shapes == [(32, 5), (8, 5), (1, 60_000), (2, 5)]


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
