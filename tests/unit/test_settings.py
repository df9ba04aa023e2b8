from __future__ import annotations

import pytest

from ragstone.errors import SettingsError
from ragstone.settings import Settings


def read(**given: str) -> Settings:
    named = {f"RAGSTONE_{name.upper()}": value for name, value in given.items()}
    return Settings.from_environment({"RAGSTONE_INDEX_URL": "-", **named})


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ({"chunk_size": "10"}, r"RAGSTONE_CHUNK_SIZE \(it is '10'\): .*; allowed is 20 to 20000"),
        ({"chunk_size": "many"}, r"RAGSTONE_CHUNK_SIZE \(it is 'many'\): .*; allowed is 20 to 20000"),
        ({"chunk_size": "200", "chunk_overlap": "101"}, r"chunk_overlap must be at most half .* \(0 to 100\)"),
        ({"fragment_overlap": "700"}, r"fragment_overlap must be at most half of fragment_size \(0 to 600\)"),
        ({"fragment_size": "3000"}, r"fragment_size \(3000\) must be at most section_size \(2500\)"),
        ({"parent_size": "2000"}, r"section_size at most parent_size \(2000\)"),
        ({"chunk_unit": "words"}, r"RAGSTONE_CHUNK_UNIT \(it is 'words'\): .*'characters' or 'tokens'"),
        ({"semantic_threshold": "2.1"}, "allowed is 0 to 2"),
        ({"max_dot_share": "15"}, "allowed is 0 to 1"),
        ({"contextual_prefix": "true"}, "contextual_prefix needs a context_model"),
    ],
)
def test_settings_that_can_t_work_are_refused_with_what_is_allowed(given: dict[str, str], problem: str) -> None:
    with pytest.raises(SettingsError, match=problem):
        read(**given)


@pytest.mark.parametrize(("size", "overlap"), [("1000", 120), ("400", 48), ("20", 2)])
def test_the_overlap_is_an_eighth_of_the_size_or_so_unless_it_is_set(size: str, overlap: int) -> None:
    assert read(chunk_size=size).overlap == overlap
    assert read(chunk_size=size, chunk_overlap="0").overlap == 0


@pytest.mark.parametrize(
    "written", ["desk, arn:aws:sts::1:assumed-role/Crew", '["desk", "arn:aws:sts::1:assumed-role/Crew"]']
)
def test_editors_are_a_list(written: str) -> None:
    found = read(editors=written)
    assert found.editors == ("desk", "arn:aws:sts::1:assumed-role/Crew")
    assert Settings.from_environment(found.to_environment()) == found


def test_settings_read_back_from_the_environment_that_they_make() -> None:
    made = read(contextual_prefix="true", context_model="a:b", breadcrumb_in_search_text="false", chunk_overlap="0")
    assert Settings.from_environment(made.to_environment()) == made


@pytest.mark.parametrize(
    ("given", "models"),
    [
        ({}, ("wordllama", "extractive")),
        ({"embedder": "a:b", "chunker": "token"}, ("a:b", "extractive", "wordllama")),
        ({"embedder": "a:b", "chunk_unit": "tokens", "tokenizer": "file:/t"}, ("a:b", "extractive", "file:/t")),
        ({"contextual_prefix": "true", "context_model": "c:d"}, ("wordllama", "extractive", "c:d")),
        ({"context_model": "c:d"}, ("wordllama", "extractive")),
    ],
)
def test_the_models_are_those_that_are_used(given: dict[str, str], models: tuple[str, ...]) -> None:
    assert read(**given).models == models


@pytest.mark.parametrize("written", ["gpt-6-luna, claude-haiku-5-5", '["gpt-6-luna", "claude-haiku-5-5"]'])
def test_models_that_may_be_chosen_are_a_list(written: str) -> None:
    found = read(models_allowed=written)
    assert found.models_allowed == ("gpt-6-luna", "claude-haiku-5-5")
    assert Settings.from_environment(found.to_environment()) == found


def test_every_model_that_may_speak_is_named_once_asked_for() -> None:
    found = read(chat_model="openai:a", fallback_model="glm:b", models_allowed="ollama:c, extractive")
    assert {"openai:a", "glm:b", "ollama:c", "extractive"} <= set(found.models)
    assert "" not in read().models
