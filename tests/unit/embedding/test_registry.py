import subprocess
import sys

import pytest

from ragstone.embedding import build_embedder, embedders
from ragstone.errors import SettingsError
from ragstone.models.compatible import SERVERS

SDKS = ("anthropic", "boto3", "fastembed", "openai", "sentence_transformers", "wordllama")
KEYS = {"OPENAI_API_KEY": "key", "VOYAGE_API_KEY": "key"}
ENVIRONMENT = {**KEYS, "PYTHONPATH": ":".join(sys.path), "AWS_DEFAULT_REGION": "eu-central-1"}


@pytest.mark.parametrize(
    ("spec", "sdk"),
    [
        ("wordllama", "wordllama"),
        ("openai:text-embedding-3-small", "openai"),
        ("voyage:voyage-4", "openai"),
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
    with pytest.raises(SettingsError, match="unknown embedder 'cohere'; known are azure, bedrock, compatible,"):
        build_embedder("cohere:embed")


@pytest.mark.parametrize("provider", sorted(SERVERS))
def test_a_missing_model_is_answered_with_what_to_write(provider: str) -> None:
    with pytest.raises(SettingsError, match=f"{provider} needs a model; write {provider}:model"):
        build_embedder(provider)


def test_an_unknown_bedrock_model_is_answered_with_the_known_ones() -> None:
    with pytest.raises(SettingsError, match=r"known are amazon\.titan-embed-text-v2, cohere\.embed-english-v3"):
        build_embedder("bedrock:amazon.nova-lite-v1:0")


@pytest.mark.parametrize("provider", ["azure", "gemini", "openai", "openrouter", "voyage"])
def test_a_missing_key_is_named(provider: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(SERVERS[provider].key_variable, raising=False)
    with pytest.raises(SettingsError, match=SERVERS[provider].key_variable):
        build_embedder(f"{provider}:some-model")


def test_every_provider_is_in_the_table() -> None:
    others = ["bedrock", "fastembed", "sentence-transformers", "wordllama"]
    assert sorted(embedders) == sorted([*SERVERS, *others])
