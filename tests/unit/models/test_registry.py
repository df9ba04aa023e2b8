import subprocess
import sys

import pytest

from ragstone.errors import SettingsError
from ragstone.models import build_chat_model, chat_models

SDKS = ("anthropic", "boto3", "openai")
ENVIRONMENT = {
    "PYTHONPATH": ":".join(sys.path),
    "ANTHROPIC_API_KEY": "key",
    "OPENAI_API_KEY": "key",
    "AWS_DEFAULT_REGION": "eu-central-1",
}


@pytest.mark.parametrize(
    ("spec", "sdk"),
    [
        ("anthropic:claude-haiku-5-5", "anthropic"),
        ("claude-haiku-5-5", "anthropic"),
        ("openai:gpt-6-luna", "openai"),
        ("ollama:qwen3:8b", "openai"),
        ("bedrock:nova", "boto3"),
    ],
)
def test_a_chat_model_imports_its_provider_s_sdk_and_no_other(spec: str, sdk: str) -> None:
    program = (
        "import sys; from ragstone.models import build_chat_model; before = set(sys.modules);"
        f"assert before.isdisjoint({SDKS}); build_chat_model({spec!r}); print(*set({SDKS}) & set(sys.modules))"
    )
    run = subprocess.run([sys.executable, "-c", program], check=True, env=ENVIRONMENT, capture_output=True, text=True)
    assert run.stdout.split() == [sdk]


def test_an_unknown_provider_is_answered_with_the_known_ones() -> None:
    with pytest.raises(
        SettingsError, match="unknown chat model 'mistral'; known are anthropic, azure, bedrock, compatible, gem"
    ):
        build_chat_model("mistral:large")


@pytest.mark.parametrize("provider", sorted(chat_models))
def test_a_missing_model_is_answered_with_how_to_write_it(provider: str) -> None:
    with pytest.raises(SettingsError, match=f"write {provider}:model"):
        build_chat_model(provider)
