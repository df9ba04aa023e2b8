import pytest

from ragstone.errors import SettingsError
from ragstone.specs import Spec


@pytest.mark.parametrize(
    ("text", "spec"),
    [
        ("openai:gpt-6-luna", Spec("openai", "gpt-6-luna")),
        ("ollama:llama3.1:8b", Spec("ollama", "llama3.1:8b")),
        (" extractive ", Spec("extractive", "")),
        ("wordllama", Spec("wordllama", "")),
    ],
)
def test_a_spec_is_a_provider_and_a_model(text: str, spec: Spec) -> None:
    assert Spec.parse(text) == spec


@pytest.mark.parametrize(
    ("model", "provider"),
    [
        ("gpt-6-luna", "openai"),
        ("chatgpt-4o-latest", "openai"),
        ("o3", "openai"),
        ("o4-mini", "openai"),
        ("text-embedding-3-small", "openai"),
        ("claude-haiku-5-5", "anthropic"),
        ("gemini-3-flash", "gemini"),
        ("glm-5", "glm"),
        ("voyage-4", "voyage"),
    ],
)
def test_a_model_of_a_known_family_needs_no_provider(model: str, provider: str) -> None:
    assert Spec.parse(model) == Spec(provider, model)


@pytest.mark.parametrize("provider", ["anthropic", "gemini", "glm", "openai", "ollama", "voyage", "openrouter"])
def test_a_provider_alone_is_no_model(provider: str) -> None:
    assert Spec.parse(provider) == Spec(provider, "")


def test_a_provider_that_is_written_is_taken() -> None:
    assert Spec.parse("openrouter:gpt-oss-120b") == Spec("openrouter", "gpt-oss-120b")
    assert Spec.parse("azure:gpt-6-luna") == Spec("azure", "gpt-6-luna")


@pytest.mark.parametrize("text", ["openai:gpt-6-luna", "ollama:llama3.1:8b", "extractive"])
def test_a_spec_is_written_as_it_is_read(text: str) -> None:
    assert str(Spec.parse(text)) == text


@pytest.mark.parametrize("text", ["", " ", ":model"])
def test_an_empty_spec_is_answered_with_how_to_write_one(text: str) -> None:
    with pytest.raises(SettingsError, match="write provider:model"):
        Spec.parse(text)
