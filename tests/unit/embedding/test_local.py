import math
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from ragstone.embedding import build_embedder
from ragstone.embedding.local import LocalEmbedder
from ragstone.errors import SettingsError
from ragstone.types import Vector
from tests.support.local_packages import MAX_TOKENS, UNKNOWN, local_packages
from tests.support.provider_dialects import unit_vector_of

PROVIDERS = ("fastembed", "sentence-transformers")


@pytest.fixture
def packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with local_packages(tmp_path, monkeypatch):
        yield


@pytest.mark.parametrize("provider", PROVIDERS)
def test_a_missing_package_is_answered_with_how_to_install_it(provider: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, provider.replace("-", "_"), None)  # what Python takes for not installed
    with pytest.raises(SettingsError, match=f"{provider}: models need a package .* pip install {provider}$"):
        build_embedder(f"{provider}:some/model")


@pytest.mark.parametrize("provider", PROVIDERS)
def test_a_missing_model_is_answered_with_an_example(provider: str) -> None:
    with pytest.raises(SettingsError, match=f"{provider} needs a model, for example {provider}:.+/.+"):
        build_embedder(provider)


@pytest.mark.parametrize("provider", PROVIDERS)
def test_an_unknown_model_is_answered_with_what_the_package_says(packages: None, provider: str) -> None:
    with pytest.raises(SettingsError, match=rf"^{provider}:{UNKNOWN} can't be loaded: .*{UNKNOWN} is not"):
        build_embedder(f"{provider}:{UNKNOWN}")


def test_fastembed_gets_the_prompts_that_it_does_not_add(packages: None) -> None:
    embedder = build_embedder("fastembed:intfloat/multilingual-e5-large")
    assert embedder.embed_documents(["fares"]) == [pytest.approx(unit_vector_of("passage: fares"), abs=1e-6)]
    assert embedder.embed_query("fares") == pytest.approx(unit_vector_of("query: fares"), abs=1e-6)


def test_sentence_transformers_add_their_own_prompts(packages: None) -> None:
    embedder = build_embedder("sentence-transformers:intfloat/multilingual-e5-small")
    assert embedder.embed_documents(["fares"]) == [pytest.approx(unit_vector_of("fares"), abs=1e-6)]
    assert embedder.embed_query("fares") == pytest.approx(unit_vector_of("query: fares"), abs=1e-6)


def test_a_text_over_the_model_s_own_limit_is_embedded_in_pieces(packages: None) -> None:
    embedder = build_embedder("sentence-transformers:some/model")
    limit = 3 * MAX_TOKENS
    [vector] = embedder.embed_documents(["a" * limit + "b" * limit])
    one, other = unit_vector_of("a" * limit), unit_vector_of("b" * limit)
    both = [a + b for a, b in zip(one, other, strict=True)]
    assert vector == pytest.approx([value / math.hypot(*both) for value in both], abs=1e-6)


def test_batches_are_small_in_texts_and_in_padded_size() -> None:
    shapes: list[tuple[int, int]] = []

    def encode(texts: list[str]) -> list[Vector]:
        shapes.append((len(texts), max(map(len, texts))))
        return [[1.0, 0.0] for _ in texts]

    embedder = LocalEmbedder(spec="local", dimensions=2, max_tokens=8_192, documents=encode, queries=encode)
    embedder.embed_documents(["short"] * 40 + ["x" * 20_000] * 4)
    assert shapes == [(32, 5), (8, 5), (3, 20_000), (1, 20_000)]
