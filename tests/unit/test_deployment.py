from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from ragstone import deployment
from ragstone.errors import IndexMismatch, ReindexRefused, SettingsError
from ragstone.generations.built_with import generation_of
from ragstone.settings import Settings
from ragstone.types import Generation, Generations, Role

DEPLOYED = Settings(index_url="lancedb:///index", environment="dev")
NOW = datetime(2026, 3, 1, tzinfo=UTC)


def generation(dimensions: int = 256, **settings: Any) -> Generation:
    return generation_of(DEPLOYED.changed(settings), dimensions=dimensions, now=NOW)


@pytest.fixture
def warnings(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """What is said in the log."""
    said: list[dict[str, Any]] = []

    class Recorder:
        def warning(self, message: str, **details: Any) -> None:
            said.append({"message": message, **details})

    monkeypatch.setattr(deployment, "logger", Recorder())
    return said


def test_before_there_are_generations_the_deployed_settings_hold(warnings: list[dict[str, Any]]) -> None:
    assert deployment.settings_for(None, DEPLOYED) is DEPLOYED
    assert warnings == []


def test_an_index_that_is_as_deployed_needs_no_word(warnings: list[dict[str, Any]]) -> None:
    assert deployment.settings_for(generation(), DEPLOYED) == DEPLOYED
    assert warnings == []


def test_an_index_that_was_built_otherwise_is_used_as_it_was_built_and_the_log_says_so(
    warnings: list[dict[str, Any]],
) -> None:
    settings = deployment.settings_for(generation(chunk_size=300), DEPLOYED)
    assert settings.chunk_size == 300
    (warning,) = warnings
    assert warning["differences"] == [{"name": "chunk_size", "deployed": 1_000, "built_with": 300}]
    assert (warning["index"], warning["command"]) == ("chunks", "ragstone reindex --env dev")


def test_an_index_whose_embedder_makes_other_vectors_now_is_refused_with_what_to_do() -> None:
    with pytest.raises(IndexMismatch, match=r"64 dimensions, but now these have 256.*ragstone reindex --env dev"):
        deployment.settings_for(generation(dimensions=64), DEPLOYED)


def test_an_index_is_not_begun_with_an_embedder_that_is_not_there() -> None:
    with pytest.raises(SettingsError, match="nonsense"):
        deployment.next_generation(DEPLOYED, {"embedder": "nonsense:model"})


@pytest.mark.parametrize("found", [Generations(generation()), Generations(generation(), generation(), Role.DROPPED)])
def test_nothing_is_sent_to_an_index_that_is_not_there(found: Generations) -> None:
    with pytest.raises(
        ReindexRefused, match="no index stands beside chunks; build one with: ragstone reindex --env dev"
    ):
        deployment.build_coverage(DEPLOYED, found)
