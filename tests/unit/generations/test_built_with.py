from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest

from ragstone.chunking.base import chunkers
from ragstone.composition import build_chunking
from ragstone.errors import IndexMismatch, SettingsError
from ragstone.generations.built_with import (
    DECIDING,
    as_json,
    differences,
    generation_of,
    new_generation,
    require_dimensions,
    settings_of,
    with_changes,
)
from ragstone.settings import Settings
from ragstone.types import Generations, Role
from tests.support.fake_embedder import FakeEmbedder

NOW = datetime(2026, 3, 1, 12, 30, 5, tzinfo=timezone(timedelta(hours=2)))
DEPLOYED = Settings(index_url="lancedb:///index", environment="dev", chunk_size=600)


def test_a_new_generation_is_named_after_what_it_is_built_with_and_when() -> None:
    made = new_generation(DEPLOYED, fingerprint="abcdef012345", dimensions=256, now=NOW)
    assert made.name == "chunks-abcdef012345-20260301103005"
    assert (made.dimensions, made.started_at) == (256, "2026-03-01T12:30:05+02:00")
    assert made.settings.keys() == set(DECIDING)
    assert (made.settings["chunk_size"], made.settings["embedder"]) == (600, "wordllama")


def test_a_name_that_would_be_too_long_is_refused() -> None:
    deployed = DEPLOYED.model_copy(update={"index_name": "c" * 40})
    with pytest.raises(SettingsError, match=r"RAGSTONE_INDEX_NAME .*c{40}-abcdef012345"):
        new_generation(deployed, fingerprint="abcdef012345", dimensions=256, now=NOW)


def test_an_index_keeps_its_settings_whatever_is_deployed_later() -> None:
    made = generation_of(DEPLOYED, dimensions=256, now=NOW)
    later = DEPLOYED.changed({"embedder": "openai:text-embedding-3-small", "chunk_size": 900, "top_k": 9})
    assert settings_of(made, later) == DEPLOYED.changed({"top_k": 9})
    assert settings_of(new_generation(DEPLOYED, fingerprint="f", dimensions=1, now=NOW), later).index_name.startswith(
        "chunks-f-"
    )
    assert differences(made, later) == (
        ("chunk_size", 900, 600),
        ("embedder", "openai:text-embedding-3-small", "wordllama"),
    )
    assert differences(made, DEPLOYED) == ()


def test_a_new_index_may_have_other_settings_than_the_deployment() -> None:
    changed = with_changes(DEPLOYED, {"chunker": "token", "chunk_size": "300", "breadcrumb_in_search_text": "false"})
    assert (changed.chunker, changed.chunk_size, changed.breadcrumb_in_search_text) == ("token", 300, False)


def test_what_does_not_decide_on_an_index_is_refused_with_what_does() -> None:
    with pytest.raises(SettingsError, match="top_k does not decide on an index; known are breadcrumb_in_search_text, "):
        with_changes(DEPLOYED, {"top_k": "3"})


def test_a_wrong_value_is_refused_with_what_is_allowed() -> None:
    with pytest.raises(SettingsError, match=r"RAGSTONE_CHUNK_SIZE \(it is '5'\).*allowed is 20 to 20000"):
        with_changes(DEPLOYED, {"chunk_size": "5"})


def test_an_embedder_whose_vectors_have_changed_is_refused_with_advice() -> None:
    made = generation_of(DEPLOYED, dimensions=64, now=NOW)
    require_dimensions(made, FakeEmbedder(dimensions=64), advice="")
    with pytest.raises(IndexMismatch, match="with 64 dimensions, but now these have 32: build a new index with: do it"):
        require_dimensions(made, FakeEmbedder(dimensions=32), advice="do it")


def test_generations_are_shown_with_what_the_deployment_says_otherwise() -> None:
    old = generation_of(DEPLOYED, dimensions=256, now=NOW)
    new = new_generation(DEPLOYED.changed({"chunker": "token"}), fingerprint="f", dimensions=256, now=NOW)
    shown = as_json(Generations(old, new, Role.BUILDING, NOW.astimezone(UTC).isoformat()), DEPLOYED)
    assert shown["live"] == {"name": "chunks", "settings": {}, "started_at": "2026-03-01T12:30:05+02:00"}
    assert (shown["other"]["settings"], shown["role"]) == ({"chunker": "token"}, "building")


def other_value(name: str) -> object:
    """Another allowed value of a number or a switch; None for what has none of these."""
    match getattr(DEPLOYED, name):
        case bool(value):
            return not value
        case int(value):
            return value - 1 if value > 1 else value + 1
        case float(value):
            return value * 0.9 + 0.01
        case _:
            return None


NUMBERS = sorted(name for name in Settings.model_fields if other_value(name) is not None)


@pytest.mark.parametrize("name", NUMBERS)
def test_what_decides_on_chunks_is_remembered_and_nothing_else(name: str) -> None:
    """A setting that is missing in DECIDING would change under an index; one too many would call it outdated."""
    unlike = False
    for chunker in chunkers:
        settings = DEPLOYED.changed({"chunker": chunker, "context_model": "extractive"})
        changed = settings.changed({name: other_value(name)})
        if "contextual_prefix" not in name:
            unlike |= build_chunking(settings).fingerprint != build_chunking(changed).fingerprint
    assert unlike == (name in DECIDING and name != "contextual_prefix")
