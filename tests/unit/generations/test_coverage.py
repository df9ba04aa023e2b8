from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from ragstone.errors import TransientError
from ragstone.generations.coverage import Failure, Stretch
from ragstone.ingestion import reconcile
from ragstone.ingestion.reconcile import Position
from ragstone.types import INBOX, ChangeKind, DocumentStatus, ObjectChange, ObjectRef
from tests.unit.generations.world import BUCKET, PATIENCE, World

LATER = timedelta(minutes=5)
DONE = Stretch(documents=3)


@pytest.fixture
def world() -> World:
    """Three documents in the live index, and a generation that is just begun, five minutes after."""
    made = World()
    for name in ("a", "b", "c"):
        made.put(f"{name}.txt", f"The ferry {name} runs.")
    made.put_sidecar("a.txt", '{"title": "Ferries"}')
    made.put("locked.pdf", "%PDF-1.7 and then nothing")
    made.delete("locked.pdf")
    made.work()
    made.pass_time(LATER)
    made.steps.begin(made.next_generation())
    return made


def place(source: str) -> ObjectRef:
    return ObjectRef(BUCKET, INBOX + source)


def fail_once(world: World, source: str) -> None:
    """Let the new generation fail with what the queue has for it; the message is in the dead letters then."""
    world.embedder.failures = [TransientError("the embedder is throttled")]
    (change,) = (change for change in world.queue if change.object == place(source))
    world.queue.remove(change)
    with pytest.raises(TransientError):
        world.every().apply(change)


def test_a_new_generation_is_sent_all_that_the_bucket_holds(world: World) -> None:
    assert world.send_all() == Stretch(documents=3, sent=3)
    assert [(change.kind, change.object.source) for change in world.queue] == [
        (ChangeKind.CREATED, source) for source in ("a.txt", "b.txt", "c.txt")
    ]
    world.work()
    assert world.check() == DONE
    world.assert_settled(("a.txt", "b.txt", "c.txt"))


def test_what_is_there_is_not_sent_again(world: World) -> None:
    world.send_all()
    world.every().apply(world.queue[1])
    world.queue.clear()
    assert world.send_all().sent == 2
    assert [change.object.source for change in world.queue] == ["a.txt", "c.txt"]


def test_it_waits_for_the_first_document_that_is_not_there_yet(world: World) -> None:
    world.send_all()
    assert world.check() == Stretch(documents=0, waiting="a.txt", position=Position())
    world.every().apply(world.queue.pop(0))
    assert world.check() == Stretch(documents=0, waiting="b.txt", position=Position())


def test_it_goes_on_where_it_had_to_wait(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reconcile, "BATCH", 1)
    world.send_all()
    world.every().apply(world.queue.pop(0))
    stretch = world.check()
    assert (stretch.documents, stretch.waiting, stretch.position) == (1, "b.txt", Position("a.txt"))
    world.work()
    assert world.coverage().check(Position("a.txt")) == Stretch(documents=2)


@pytest.mark.parametrize("walk", ["send", "check"])
def test_a_walk_stops_when_it_is_told_and_leaves_nothing_out(
    world: World, monkeypatch: pytest.MonkeyPatch, walk: str
) -> None:
    monkeypatch.setattr(reconcile, "BATCH", 2)
    if walk == "check":
        world.send_all()
        world.work()
    do = getattr(world.coverage(), walk)
    first = do(Position(), stop=lambda: True)
    assert (first.documents, first.position) == (2, Position("b.txt"))
    assert do(first.position).documents == 1
    if walk == "send":
        assert len(world.queue) == 3


def test_a_failure_is_waited_for_until_no_retry_can_mend_it(world: World) -> None:
    world.send_all()
    fail_once(world, "b.txt")
    world.work()
    assert world.check().waiting == "b.txt"
    world.pass_time(PATIENCE + timedelta(seconds=1))
    stretch = world.check()
    assert (stretch.documents, stretch.failed, stretch.waiting) == (3, 1, None)
    (failure,) = stretch.failures
    assert failure.source == "b.txt"
    assert failure.message.startswith("TransientError: the embedder is throttled")


def test_what_failed_is_sent_again(world: World) -> None:
    world.send_all()
    fail_once(world, "b.txt")
    world.work()
    assert world.send_all().sent == 1
    world.work()
    assert world.check() == DONE


def test_failures_are_counted_and_the_first_are_named(world: World) -> None:
    for number in range(30):
        world.put(f"n{number:02}.txt", "The ferry runs.")
        fail_once(world, f"n{number:02}.txt")
    world.send_all()
    world.queue = [change for change in world.queue if not change.object.source.startswith("n")]
    world.work()
    world.pass_time(PATIENCE + timedelta(seconds=1))
    stretch = world.check()
    assert (stretch.failed, len(stretch.failures)) == (30, 20)
    assert all(isinstance(failure, Failure) for failure in stretch.failures)


def test_rejected_and_empty_documents_are_there(world: World) -> None:
    world.put("locked.pdf", "%PDF-1.7 and then nothing")
    world.put("empty.txt", "")
    world.send_all()
    world.work()
    statuses = {record.source: record.status for record in world.registry(world.other).records.values()}
    assert (statuses["locked.pdf"], statuses["empty.txt"]) == (DocumentStatus.REJECTED, DocumentStatus.EMPTY)
    assert world.check() == Stretch(documents=5)


def test_what_is_on_its_way_to_both_is_not_waited_for(world: World) -> None:
    world.send_all()
    world.work()
    world.pass_time(LATER)
    world.put("new.txt", "The ferry is new.")
    world.put("a.txt", "The ferry a is late.")
    world.delete("b.txt")
    assert world.check() == DONE


def test_what_the_live_index_has_already_is_waited_for(world: World) -> None:
    world.send_all()
    world.work()
    world.pass_time(LATER)
    world.put("new.txt", "The ferry is new.")
    only_live = replace(world.steps.generations(), other=None, role=None)
    world.every(only_live).apply(world.queue[0])
    assert world.check().waiting == "new.txt"
    world.work()
    assert world.check() == Stretch(documents=4)


def test_a_deletion_that_the_live_index_has_already_is_waited_for(world: World) -> None:
    world.send_all()
    world.work()
    world.delete("b.txt")
    world.every(replace(world.steps.generations(), other=None, role=None)).apply(world.queue[0])
    assert world.check().waiting == "b.txt"
    assert world.send_all() == Stretch(documents=2, sent=1)
    world.queue.pop(0)
    world.work()
    assert world.check() == Stretch(documents=2)


def test_a_sidecar_that_the_live_index_has_already_is_waited_for(world: World) -> None:
    world.send_all()
    world.work()
    world.put_sidecar("b.txt", '{"acl": ["crew"]}')
    world.every(replace(world.steps.generations(), other=None, role=None)).apply(world.queue[0])
    assert world.check().waiting == "b.txt"
    world.work()
    assert world.check() == DONE


def test_documents_that_were_read_by_older_rules_are_sent_again(world: World) -> None:
    world.send_all()
    world.work()
    newer = replace(world.coverage(), fingerprint="newer")
    assert newer.check(Position()).waiting == "a.txt"
    assert newer.send(Position()) == Stretch(documents=3, sent=3)


def test_what_is_sent_loses_against_every_event_of_s3(world: World) -> None:
    world.send_all()
    sent: ObjectChange = world.queue[0]
    world.put("a.txt", "The ferry a is late.")
    world.every().apply(world.queue[-1])
    assert world.every().apply(sent) is None
    assert world.shown("a.txt", world.other) == ("Theferryaislate.", "Ferries")


def test_clocks_may_differ_a_little(world: World) -> None:
    world.put("new.txt", "The ferry is new.")
    assert world.coverage().begun_at < next(world.inbox.objects("new")).modified_at
    world.send_all()
    world.queue = [change for change in world.queue if change.object.source != "new.txt"]
    world.work()
    assert world.check().waiting == "new.txt"
