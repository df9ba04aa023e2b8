from __future__ import annotations

from collections.abc import Iterator

import pytest

from functions.replay import handler
from ragstone.aws.dead_letters import Replayed
from tests.support.lambda_context import CONTEXT, context

MOVED = Replayed("1", "inbox/a.txt", "Object Created")
FAILED = Replayed("2", "inbox/b.txt", "Object Deleted", error="no such queue")


class Letters:
    """Dead letters that are these; `limit` is what was asked for."""

    def __init__(self, *replayed: Replayed) -> None:
        self.replayed = replayed
        self.limit: int | None = -1
        self.taken = 0

    def replay(self, *, limit: int | None = None) -> Iterator[Replayed]:
        self.limit = limit
        for each in self.replayed:
            self.taken += 1
            yield each


@pytest.fixture
def letters(monkeypatch: pytest.MonkeyPatch) -> Letters:
    made = Letters(MOVED, FAILED, MOVED)
    monkeypatch.setattr(handler, "build", lambda: made)
    return made


def test_what_was_moved_is_counted_and_what_was_not_is_named(letters: Letters) -> None:
    failed = {"message_id": "2", "key": "inbox/b.txt", "kind": "Object Deleted", "error": "no such queue"}
    assert handler.handler({}, CONTEXT) == {"moved": 2, "failed": [failed]}
    assert letters.limit is None


def test_no_more_is_moved_than_the_limit(letters: Letters) -> None:
    handler.handler({"limit": 5}, CONTEXT)
    assert letters.limit == 5


def test_no_message_is_begun_when_there_is_no_time_for_it(letters: Letters) -> None:
    assert handler.handler({}, context(remaining_ms=5_000)) == {"moved": 0, "failed": []}
    assert letters.taken == 0
