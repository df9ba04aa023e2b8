from __future__ import annotations

import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from opensearchpy.exceptions import ConnectionError as Unreachable

from ragstone.errors import PermanentError, TransientError
from ragstone.index import bulk
from ragstone.index.bulk import Action, Patience, batches, write
from tests.support.scripted_opensearch import Answer, Script, bulk_answer, scripted_client


def written(*answers: Answer, chunks: int, attempts: int = 4) -> tuple[Script, list[float]]:
    client, script = scripted_client(*answers)
    pauses: list[float] = []
    patience = Patience(attempts=attempts, first_s=1.0, longest_s=3.0, sleep=pauses.append)
    actions = [bulk.put(f"c{number}", {"text": "lamp"}, [0.6, 0.8]) for number in range(1, chunks + 1)]
    write(client, "chunks", actions, refresh="wait_for", patience=patience)
    return script, pauses


def sent(script: Script) -> list[list[str]]:
    """The ids of each request, in order."""
    return [[line["index"]["_id"] for line in request.lines[::2]] for request in script.requests]


def test_one_request_writes_all_in_order() -> None:
    script, pauses = written(bulk_answer(201, 200, 201), chunks=3)
    (request,) = script.requests
    assert request.url == "/chunks/_bulk"
    assert request.lines[:2] == [{"index": {"_id": "c1"}}, {"text": "lamp", "vector": [0.6, 0.8]}]
    assert (sent(script), pauses) == ([["c1", "c2", "c3"]], [])


def test_only_the_items_that_were_turned_away_are_sent_again() -> None:
    busy = bulk_answer(201, 429, 201, 201, 503, 201)
    script, pauses = written(busy, bulk_answer(429, 201), bulk_answer(201), chunks=6)
    assert sent(script) == [["c1", "c2", "c3", "c4", "c5", "c6"], ["c2", "c5"], ["c2"]]
    assert len(pauses) == 2


@pytest.mark.parametrize(
    "failure", [(429, {"error": "busy"}), (503, {}), (504, {}), Unreachable("N/A", "reset", OSError())]
)
def test_a_request_that_failed_in_passing_is_sent_again_whole(failure: Answer) -> None:
    script, _ = written(failure, bulk_answer(201, 201), chunks=2)
    assert sent(script) == [["c1", "c2"], ["c1", "c2"]]


def test_pauses_double_up_to_the_longest_and_are_jittered() -> None:
    _, pauses = written(*[bulk_answer(429)] * 4, bulk_answer(201), chunks=1, attempts=5)
    assert all(top / 2 <= pause <= top for pause, top in zip(pauses, [1, 2, 3, 3], strict=True))


def test_items_that_stay_turned_away_are_a_transient_error() -> None:
    with pytest.raises(TransientError, match="2 chunks not written, first c1"):
        written(*[bulk_answer(429, 429)] * 4, chunks=2)


def test_a_node_that_stays_away_is_a_transient_error() -> None:
    with pytest.raises(TransientError, match="does not answer"):
        written(*[Unreachable("N/A", "refused", OSError())] * 4, chunks=1)


def test_a_refused_chunk_is_named_with_the_reason() -> None:
    with pytest.raises(PermanentError, match=r"chunk c2: reason 400 \(status 400\)"):
        written(bulk_answer(201, 400), chunks=2)


def test_a_deleted_chunk_that_was_not_there_is_no_error() -> None:
    client, script = scripted_client(bulk_answer(404, 200, kind="delete"))
    patience = Patience(attempts=1, first_s=0, longest_s=0, sleep=lambda seconds: None)
    write(client, "chunks", [bulk.delete("c1"), bulk.delete("c2")], refresh="true", patience=patience)
    assert script.requests[0].lines == [{"delete": {"_id": "c1"}}, {"delete": {"_id": "c2"}}]


FULL = bulk_answer(*[201] * bulk.MAX_ACTIONS)


def test_one_request_brings_its_refresh_along() -> None:
    script, _ = written(bulk_answer(429), bulk_answer(201), chunks=1)
    assert [request.params["refresh"] for request in script.requests] == [b"wait_for", b"wait_for"]


def test_one_refresh_at_the_end_makes_a_longer_write_visible() -> None:
    script, _ = written(FULL, FULL, FULL, (200, {}), chunks=3 * bulk.MAX_ACTIONS)
    assert [request.params.get("refresh") for request in script.requests] == [b"false", b"false", b"false", None]
    assert script.requests[-1].url == "/chunks/_refresh"


def test_a_failure_of_any_of_many_requests_is_raised() -> None:
    refused = bulk_answer(*[201] * (bulk.MAX_ACTIONS - 1), 400)
    with pytest.raises(PermanentError, match="reason 400"):
        written(FULL, refused, FULL, chunks=3 * bulk.MAX_ACTIONS)


class Node:
    """Takes its time over each bulk request, and notes how many were under way and which chunks twice at once."""

    def __init__(self) -> None:
        self.under_way: list[str] = []
        self.overtaken: set[str] = set()
        self.most = 0

    def bulk(self, *, body: bytes, **options: object) -> object:
        ids = [json.loads(line)["index"]["_id"] for line in body.splitlines()[::2]]
        self.overtaken.update(set(ids) & set(self.under_way))
        self.under_way += ids
        self.most = max(self.most, len(self.under_way) // bulk.MAX_ACTIONS)
        time.sleep(0.02)
        for chunk_id in ids:
            self.under_way.remove(chunk_id)
        return {"items": [{"index": {"status": 201}}] * len(ids)}


def test_requests_go_two_at_a_time_but_not_past_an_older_one_for_the_same_chunk() -> None:
    node = Node()
    numbers = [*range(4 * bulk.MAX_ACTIONS), *range(3 * bulk.MAX_ACTIONS, 5 * bulk.MAX_ACTIONS)]
    actions = [bulk.put(str(number), {"text": "lamp"}, [1.0]) for number in numbers]
    patience = Patience(attempts=1, first_s=0, longest_s=0, sleep=time.sleep)
    assert write(node, "chunks", actions, refresh="false", patience=patience) == 5 * bulk.MAX_ACTIONS
    assert (node.most, node.overtaken) == (bulk.WRITERS, set())


@given(sizes=st.lists(st.integers(1, 3 * bulk.MAX_BYTES // 2), max_size=12))
def test_batches_keep_order_and_stay_under_the_limit(sizes: list[int]) -> None:
    blob = memoryview(bytes(2 * bulk.MAX_BYTES))
    actions = [Action(str(number), blob[:size]) for number, size in enumerate(sizes)]  # pyright: ignore[reportArgumentType]
    parts = list(batches(actions))
    assert [action for part in parts for action in part.values()] == actions
    sent = [[len(action.lines) for action in part.values()] for part in parts]
    assert all(len(part) == 1 or sum(part) <= bulk.MAX_BYTES for part in sent)
