"""The list of runs."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from ragstone.evaluation.history import INDEX, History
from ragstone.types import ObjectRef
from tests.support.evaluations import REPORTS
from tests.support.fake_store import FakeStore
from tests.support.reports import reported


def listed(store: FakeStore) -> list[dict[str, Any]]:
    return json.loads(store.objects[ObjectRef(REPORTS, INDEX)])


def add(store: FakeStore, run_id: str, started_at: str = "2026-03-01T02:00:00Z") -> None:
    History(store, REPORTS).add(reported(run_id, started_at=started_at), f"reports/{run_id}/report.json")


def test_runs_are_listed_newest_first() -> None:
    store = FakeStore()
    add(store, "b", "2026-03-02T00:00:00Z")
    add(store, "c", "2026-03-03T00:00:00Z")
    add(store, "a", "2026-03-01T00:00:00Z")
    assert [entry["run_id"] for entry in listed(store)] == ["c", "b", "a"]


def test_an_entry_says_how_the_run_went() -> None:
    store = FakeStore()
    add(store, "run")
    [entry] = listed(store)
    assert (entry["passed"], entry["git_sha"], entry["report"]) == (False, "abc123", "reports/run/report.json")
    assert entry["means"]["base"] == {"mrr": 0.5, "rouge_l": 0.25}


def test_a_run_that_is_reported_again_is_listed_once() -> None:
    store = FakeStore()
    add(store, "run")
    add(store, "run")
    assert [entry["run_id"] for entry in listed(store)] == ["run"]


@dataclass
class RacingStore(FakeStore):
    """Another run writes its entry and the list just before this one writes the list."""

    raced: bool = False

    def write(self, target: ObjectRef, content: bytes, content_type: str) -> None:
        if target.key == INDEX and not self.raced:
            self.raced = True
            add(self, "other")
        super().write(target, content, content_type)


def test_runs_that_finish_at_the_same_moment_are_both_listed() -> None:
    store = RacingStore()
    add(store, "run")
    assert {entry["run_id"] for entry in listed(store)} == {"run", "other"}
