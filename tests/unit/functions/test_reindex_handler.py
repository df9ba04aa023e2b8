from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from functions.reindex import handler
from ragstone.errors import SettingsError
from ragstone.generations.coverage import Coverage
from ragstone.settings import Settings
from ragstone.types import Generation, Generations
from tests.support.lambda_context import CONTEXT
from tests.unit.generations.world import World

DEPLOYED = Settings(index_url="lancedb:///index", environment="dev")


@pytest.fixture
def world(monkeypatch: pytest.MonkeyPatch) -> World:
    """Two documents in the live index."""
    made = World()
    for name in ("a", "b"):
        made.put(f"{name}.txt", f"The ferry {name} runs.")
    made.work()

    def coverage(deployed: Settings, generations: Generations) -> Coverage:
        assert (deployed, generations) == (DEPLOYED, made.steps.generations())
        return made.coverage()

    def generation(deployed: Settings, changes: dict[str, str]) -> Generation:
        if "chunker" in changes:
            raise SettingsError(f"unknown chunker {changes['chunker']!r}")
        return made.next_generation()

    monkeypatch.setattr(handler, "build", lambda: (DEPLOYED, made.steps))
    monkeypatch.setattr(handler, "build_coverage", coverage)
    monkeypatch.setattr(handler, "next_generation", generation)
    return made


def call(step: str, **more: Any) -> dict[str, Any]:
    return handler.handler({"step": step, **more}, CONTEXT)


def test_a_new_index_is_begun_filled_swapped_in_and_the_old_one_dropped(world: World) -> None:
    assert call("status")["live"] == {
        "name": "chunks-01",
        "settings": {"chunk_size": 21},
        "started_at": world.live.started_at,
    }
    begun = call("begin", settings={"chunk_size": "22"})
    assert (begun["other"]["name"], begun["other"]["settings"], begun["role"]) == (
        "chunks-02",
        {"chunk_size": 22},
        "building",
    )
    assert call("resume") == begun
    sent = call("send", position={}, seconds=30)
    assert (sent["documents"], sent["sent"], sent["position"]) == (2, 2, None)
    waiting = call("check", position={})
    assert (waiting["documents"], waiting["waiting"], waiting["position"]["after"]) == (0, "a.txt", "")
    world.work()
    assert call("check", position=waiting["position"])["waiting"] is None
    swapped = call("swap", name="chunks-02")
    assert (swapped["live"]["name"], swapped["other"]["name"], swapped["role"]) == (
        "chunks-02",
        "chunks-01",
        "previous",
    )
    assert call("drop") == {"error": "queries may still read chunks-01: try again in 61 seconds"}
    world.inbox.changes += 120
    assert call("drop") == {"dropped": "chunks-01"}
    assert call("drop") == {"dropped": None}


def test_a_stretch_ends_when_its_seconds_are_over(world: World) -> None:
    call("begin")
    assert call("send", seconds=0)["position"]["after"] == "b.txt"


def test_what_can_t_be_done_is_said_in_a_sentence(world: World) -> None:
    assert call("swap", name="chunks-09")["error"].startswith("chunks-09 is not there to be swapped in")
    assert call("begin", settings={"chunker": "magic"}) == {"error": "unknown chunker 'magic'"}


@pytest.mark.parametrize("event", [{}, {"step": "undo"}, {"step": "send", "position": {"before": "a"}}, {"steps": "x"}])
def test_a_request_that_can_t_be_meant_is_refused(world: World, event: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        handler.handler(event, CONTEXT)
