from __future__ import annotations

from collections.abc import Sequence
from typing import cast

import pytest

from ragstone.errors import TransientError
from ragstone.generations.every import EveryGeneration, Interrupted
from ragstone.ingestion import Budget, Ingestion, OutOfTime
from ragstone.types import (
    ChangeKind,
    DocumentRecord,
    DocumentStatus,
    Generation,
    Generations,
    ObjectChange,
    ObjectRef,
    Role,
)

CHANGE = ObjectChange(ChangeKind.CREATED, ObjectRef("bucket", "inbox/a.txt"), "01", "etag")
LIVE, OTHER = (Generation(name, {}, 64, "2026-01-01T00:00:00+00:00") for name in ("live", "other"))
BOTH = Generations(LIVE, OTHER, Role.BUILDING)


class Recorder:
    """Ingestions by generation; `done` are the generations in the order in which they got the change, and from where.

    What a generation has in `raised` is what it raises, each once.
    """

    def __init__(self, generations: Generations = BOTH, **raised: Sequence[Exception]) -> None:
        self.done: list[tuple[str, int]] = []
        self.made: list[str] = []
        self.raised = {name: list(errors) for name, errors in raised.items()}
        self.every = EveryGeneration(generations=lambda: generations, ingestion=self._ingestion)

    def _ingestion(self, generation: Generation) -> Ingestion:
        self.made.append(generation.name)
        return cast("Ingestion", Applied(self, generation.name))


class Applied:
    def __init__(self, recorder: Recorder, name: str) -> None:
        self.recorder, self.name = recorder, name

    def apply(self, change: ObjectChange, budget: Budget) -> DocumentRecord:
        assert change == CHANGE
        self.recorder.done.append((self.name, budget.written))
        if self.recorder.raised.get(self.name):
            raise self.recorder.raised[self.name].pop(0)
        return DocumentRecord(self.name, "bucket", "inbox/a.txt", "01", DocumentStatus.INDEXED)


def test_the_live_generation_gets_a_change_last_and_its_outcome_counts() -> None:
    recorder = Recorder()
    outcome = recorder.every.apply(CHANGE)
    assert recorder.done == [("other", 0), ("live", 0)]
    assert outcome and outcome.document_id == "live"


def test_a_generation_that_is_dropped_gets_nothing() -> None:
    recorder = Recorder(Generations(LIVE, OTHER, Role.DROPPED))
    recorder.every.apply(CHANGE)
    assert recorder.done == [("live", 0)]


def test_what_a_half_built_index_fails_on_keeps_no_change_from_the_users() -> None:
    recorder = Recorder(other=[TransientError("throttled")])
    with pytest.raises(TransientError, match="throttled"):
        recorder.every.apply(CHANGE)
    assert recorder.done == [("other", 0), ("live", 0)]


def test_a_long_document_goes_on_in_the_generation_where_it_stopped() -> None:
    recorder = Recorder(other=[OutOfTime(300)], live=[OutOfTime(700)])
    with pytest.raises(Interrupted) as stopped:
        recorder.every.apply(CHANGE, Budget(0))
    assert (stopped.value.generation, stopped.value.written) == ("other", 300)
    with pytest.raises(Interrupted) as stopped:
        recorder.every.apply(CHANGE, Budget(300), at="other")
    assert (stopped.value.generation, stopped.value.written) == ("live", 700)
    recorder.every.apply(CHANGE, Budget(700), at="live")
    assert recorder.done == [("other", 0), ("other", 300), ("live", 0), ("other", 0), ("live", 700)]


def test_a_generation_s_ingestion_is_made_once() -> None:
    recorder = Recorder()
    for _ in range(3):
        recorder.every.apply(CHANGE)
    assert recorder.made == ["other", "live"]


def test_which_generations_there_are_is_read_anew_for_each_change() -> None:
    held = [Generations(LIVE), BOTH]
    recorder = Recorder()
    every = EveryGeneration(generations=lambda: held.pop(0), ingestion=recorder.every.ingestion)
    every.apply(CHANGE)
    every.apply(CHANGE)
    assert recorder.done == [("live", 0), ("other", 0), ("live", 0)]
