from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from pydantic import ValidationError

from functions.reconcile import handler
from ragstone.ingestion.reconcile import Compared, Finding, Position, Problem
from ragstone.types import ChangeKind, ObjectChange, ObjectRef
from tests.support.lambda_context import CONTEXT, context


def finding(source: str) -> Finding:
    change = ObjectChange(ChangeKind.DELETED, ObjectRef("bucket", f"inbox/{source}"), "1")
    return Finding(source, Problem.OBJECT_GONE, "Its file is no longer in the bucket.", change)


LAST = Position("b.txt", "cursor")
STRETCHES = {Position(): Compared((finding("a.txt"),), 2, LAST), LAST: Compared((finding("c.txt"),), 1, None)}


class Comparison:
    """Two stretches; `asked` is where each began, whether it was to mend, and whether its time was over."""

    def __init__(self) -> None:
        self.asked: list[tuple[Position, bool, bool]] = []

    def compare(self, start: Position, *, fix: bool, stop: Callable[[], bool]) -> Compared:
        self.asked.append((start, fix, stop()))
        return STRETCHES[start]


@pytest.fixture
def comparison(monkeypatch: pytest.MonkeyPatch) -> Comparison:
    made = Comparison()
    monkeypatch.setattr(handler, "build", lambda: made)
    return made


def shown(source: str) -> dict[str, Any]:
    return {"source": source, "problem": "object_gone", "message": "Its file is no longer in the bucket."}


def test_a_schedule_compares_all_of_it(comparison: Comparison) -> None:
    reply = handler.handler({"fix": True}, CONTEXT)
    assert reply == {"count": 3, "findings": [shown("c.txt")], "position": None}
    assert comparison.asked == [(Position(), True, False), (LAST, True, False)]


def test_the_command_compares_a_stretch_at_a_time(comparison: Comparison) -> None:
    first = handler.handler({"seconds": 30}, CONTEXT)
    assert first == {
        "count": 2,
        "findings": [shown("a.txt")],
        "position": {"after": "b.txt", "page": "cursor", "indexed": None},
    }
    second = handler.handler({"seconds": 30, "position": first["position"]}, CONTEXT)
    assert second == {"count": 1, "findings": [shown("c.txt")], "position": None}


def test_the_seconds_that_were_asked_for_end(comparison: Comparison) -> None:
    handler.handler({"seconds": 0}, CONTEXT)
    assert comparison.asked == [(Position(), False, True)]


def test_a_schedule_stops_before_its_function_is_ended_and_says_where(comparison: Comparison) -> None:
    reply = handler.handler({}, context(remaining_ms=30_000))
    assert (reply["count"], reply["position"]) == (2, {"after": "b.txt", "page": "cursor", "indexed": None})
    assert comparison.asked == [(Position(), False, True)]


@pytest.mark.parametrize("event", [{"repair": True}, {"seconds": "soon"}, {"position": {"before": "a"}}])
def test_a_request_that_can_t_be_meant_is_refused(comparison: Comparison, event: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        handler.handler(event, CONTEXT)
    assert comparison.asked == []
