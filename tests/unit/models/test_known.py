import pytest

from ragstone.errors import InvalidQuery
from ragstone.models import chosen_model, known_models
from ragstone.settings import Settings

SETTINGS = Settings(
    index_url="-",
    chat_model="claude-haiku-5-5",
    models_allowed=("extractive", "gpt-6-luna", "anthropic:claude-haiku-5-5"),
)
KNOWN = ("anthropic:claude-haiku-5-5", "extractive", "openai:gpt-6-luna")


def test_the_environment_s_own_model_comes_first_and_each_once() -> None:
    assert known_models(SETTINGS) == KNOWN


@pytest.mark.parametrize(
    ("asked", "spec"),
    [
        (None, "anthropic:claude-haiku-5-5"),
        ("", "anthropic:claude-haiku-5-5"),
        ("extractive", "extractive"),
        ("gpt-6-luna", "openai:gpt-6-luna"),
        ("openai:gpt-6-luna", "openai:gpt-6-luna"),
    ],
)
def test_a_request_chooses_among_them(asked: str | None, spec: str) -> None:
    assert chosen_model(SETTINGS, asked) == spec


@pytest.mark.parametrize("asked", ["gpt-6.2-sol", "openai", "ollama:gpt-6-luna", "what?"])
def test_another_model_is_answered_with_those_that_may_be_chosen(asked: str) -> None:
    with pytest.raises(
        InvalidQuery, match="known are anthropic:claude-haiku-5-5, extractive, openai:gpt-6-luna"
    ) as caught:
        chosen_model(SETTINGS, asked)
    assert caught.value.code == "unknown_model"


def test_an_empty_provider_is_answered_with_how_to_write_one() -> None:
    with pytest.raises(InvalidQuery, match="write provider:model"):
        chosen_model(SETTINGS, ":gpt-6-luna")


def test_without_others_only_the_environment_s_own_is_known() -> None:
    assert known_models(Settings(index_url="-")) == ("extractive",)
