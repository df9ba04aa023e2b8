import subprocess
import sys

import pytest

from ragstone.embedding import build_embedder, embedders
from ragstone.errors import SettingsError

SDKS = ("anthropic", "boto3", "openai", "wordllama")
ENVIRONMENT = {"PYTHONPATH": ":".join(sys.path), "OPENAI_API_KEY": "key", "AWS_DEFAULT_REGION": "eu-central-1"}


@pytest.mark.parametrize(
    ("spec", "sdk"),
    [
        ("wordllama", "wordllama"),
        ("openai:text-embedding-3-small", "openai"),
        ("bedrock:amazon.titan-embed-text-v2:0", "boto3"),
    ],
)
def test_an_embedder_imports_its_provider_s_sdk_and_no_other(spec: str, sdk: str) -> None:
    program = (
        "import sys; from ragstone.embedding import build_embedder; before = set(sys.modules);"
        f"assert before.isdisjoint({SDKS}); build_embedder({spec!r}); print(*set({SDKS}) & set(sys.modules))"
    )
    run = subprocess.run([sys.executable, "-c", program], check=True, env=ENVIRONMENT, capture_output=True, text=True)
    assert run.stdout.split() == [sdk]


def test_an_unknown_provider_is_answered_with_the_known_ones() -> None:
    with pytest.raises(SettingsError, match="unknown embedder 'cohere'; known are bedrock, openai, wordllama"):
        build_embedder("cohere:embed")


def test_a_missing_model_is_answered_with_an_example() -> None:
    with pytest.raises(SettingsError, match="openai:text-embedding-3-small"):
        build_embedder("openai")


def test_an_unknown_bedrock_model_is_answered_with_the_known_ones() -> None:
    with pytest.raises(SettingsError, match=r"known are amazon\.titan-embed-text-v2, cohere\.embed-english-v3"):
        build_embedder("bedrock:amazon.nova-lite-v1:0")


def test_a_missing_openai_key_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with pytest.raises(SettingsError, match="OPENAI_API_KEY"):
        build_embedder("openai:text-embedding-3-small")


def test_every_provider_is_in_the_table() -> None:
    assert sorted(embedders) == ["bedrock", "openai", "wordllama"]
