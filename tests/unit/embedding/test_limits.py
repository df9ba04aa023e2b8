from __future__ import annotations

import pytest

from ragstone.embedding.limits import longest_text


@pytest.mark.parametrize(
    ("spec", "longest"),
    [
        ("wordllama", None),
        ("openai:text-embedding-3-small", 8_000),
        ("ollama:nomic-embed-text", 1_536),
        ("bedrock:amazon.titan-embed-text-v2:0", 8_000),
        ("bedrock:eu.cohere.embed-v4:0", 32_000),
        ("bedrock:another", None),
        ("fastembed:BAAI/bge-small-en-v1.5", 1_536),
        ("sentence-transformers:intfloat/multilingual-e5-small", 1_536),
    ],
)
def test_limits_are_known_without_an_embedder_and_its_key(spec: str, longest: int | None) -> None:
    assert longest_text(spec) == longest
