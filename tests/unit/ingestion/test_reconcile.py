from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragstone.ingestion import reconcile
from ragstone.ingestion.reconcile import Compared, Position, Problem, Reconciliation
from ragstone.types import (
    INBOX,
    ChangeKind,
    Chunk,
    DocumentRecord,
    DocumentStatus,
    EmbeddedChunk,
    ObjectChange,
    ObjectRef,
)
from tests.support.builders import chunk
from tests.support.fake_inbox import START, FakeInbox
from tests.support.fake_index import FakeIndex
from tests.support.fake_registry import FakeRegistry

NOW = START + timedelta(days=1)
OLD, RECENT = NOW - timedelta(hours=2), NOW - timedelta(minutes=5)
INDEXED, PROCESSING, DELETED = DocumentStatus.INDEXED, DocumentStatus.PROCESSING, DocumentStatus.DELETED


class Changes:
    def __init__(self) -> None:
        self.sent: list[ObjectChange] = []

    def send(self, change: ObjectChange) -> None:
        self.sent.append(change)


class World:
    """Bucket, registry and index in memory, two hours after everything happened."""

    def __init__(self) -> None:
        self.inbox = FakeInbox()
        self.registry = FakeRegistry()
        self.index = FakeIndex(dimensions=1)
        self.changes = Changes()
        self.reconciliation = Reconciliation(
            inbox=self.inbox,
            registry=self.registry,
            index=self.index,
            reader=self.index,
            changes=self.changes,
            fingerprint="print",
            now=lambda: NOW,
        )

    def put(self, source: str) -> None:
        self.inbox.write(source, b"text", "text/plain")

    def record(self, source: str, *, chunks: int = 2, bucket: str = "bucket", **changes: object) -> DocumentRecord:
        place = ObjectRef(bucket, INBOX + source)
        known = {found.source: found.etag for found in self.inbox.objects()}
        record = DocumentRecord(
            place.document_id,
            bucket,
            place.key,
            "00FF",
            INDEXED,
            version="v1",
            etag=known.get(source, ""),
            fingerprint="print",
            chunks=chunks,
            updated_at=OLD.isoformat(),
        )
        made = replace(record, **changes)  # pyright: ignore[reportArgumentType]
        self.registry.records[record.document_id] = made
        return made

    def index_chunks(self, record: DocumentRecord, count: int) -> None:
        made = [chunk("x", document_id=record.document_id, ordinal=ordinal) for ordinal in range(count)]
        self.index.add([EmbeddedChunk(each, [1.0]) for each in made])

    def add(self, source: str) -> None:
        """A document that is as it should be."""
        self.put(source)
        self.index_chunks(self.record(source), 2)

    def found(self, *, fix: bool = False) -> list[tuple[str, Problem]]:
        compared = self.reconciliation.compare(Position(), fix=fix)
        assert compared.position is None
        return [(finding.source, finding.problem) for finding in compared.findings]


@pytest.fixture
def world() -> World:
    made = World()
    made.add("before.txt")
    made.add("zoo.txt")
    return made


def test_what_is_in_step_is_not_reported(world: World) -> None:
    compared = world.reconciliation.compare(Position())
    assert compared == Compared(findings=(), count=2, position=None)


def test_an_object_that_the_registry_does_not_know_is_reported(world: World) -> None:
    world.put("new.txt")
    assert world.found() == [("new.txt", Problem.UNKNOWN_OBJECT)]


def test_a_file_that_is_gone_is_reported(world: World) -> None:
    world.record("gone.txt")
    assert world.found() == [("gone.txt", Problem.OBJECT_GONE)]


def test_another_file_than_the_one_that_was_read_is_reported(world: World) -> None:
    world.put("changed.txt")
    world.record("changed.txt", etag="another")
    assert world.found() == [("changed.txt", Problem.CHANGED_OBJECT)]


def test_a_file_that_came_back_is_reported(world: World) -> None:
    world.put("back.txt")
    world.record("back.txt", status=DELETED, version=None, chunks=0)
    assert world.found() == [("back.txt", Problem.CHANGED_OBJECT)]


def test_what_was_deleted_is_in_step(world: World) -> None:
    world.record("deleted.txt", status=DELETED, version=None, chunks=0)
    assert world.found() == []


@pytest.mark.parametrize("status", [PROCESSING, DocumentStatus.FAILED])
def test_what_has_not_ended_for_an_hour_is_stuck(world: World, status: DocumentStatus) -> None:
    for name, since in (("old.txt", OLD), ("recent.txt", RECENT)):
        world.put(name)
        world.record(name, status=status, updated_at=since.isoformat())
    assert world.found() == [("old.txt", Problem.STUCK)]


def test_what_was_indexed_with_other_settings_is_outdated(world: World) -> None:
    world.put("old.txt")
    world.record("old.txt", fingerprint="earlier")
    assert world.found() == [("old.txt", Problem.OUTDATED)]


def test_a_rejected_document_is_in_step_whatever_the_settings(world: World) -> None:
    world.put("locked.pdf")
    world.record("locked.pdf", status=DocumentStatus.REJECTED, version=None, chunks=0, fingerprint="earlier")
    assert world.found() == []


@pytest.mark.parametrize("indexed", [0, 1, 3])
def test_chunks_that_are_missing_or_too_many_are_reported(world: World, indexed: int) -> None:
    world.put("doc.txt")
    world.index_chunks(world.record("doc.txt"), indexed)
    (finding,) = world.reconciliation.compare(Position()).findings
    assert finding.problem is Problem.CHUNKS_DIFFER
    assert finding.message == f"The index has {indexed} of its chunks, and the registry says 2."


def test_chunks_of_what_was_deleted_are_reported(world: World) -> None:
    world.index_chunks(world.record("deleted.txt", status=DELETED, version=None, chunks=0), 1)
    assert world.found() == [("deleted.txt", Problem.CHUNKS_DIFFER)]


def test_objects_that_are_ahead_of_their_event_are_not_reported(world: World) -> None:
    world.put("new.txt")
    world.put("changed.txt")
    world.record("changed.txt", etag="another")
    early = replace(world.reconciliation, now=lambda: START + timedelta(minutes=9))
    assert early.compare(Position()).findings == ()


def test_documents_of_another_bucket_are_left_alone(world: World) -> None:
    world.record("elsewhere.txt", bucket="other")
    assert world.found() == []


def test_nothing_is_sent_unless_it_is_to_be_mended(world: World) -> None:
    world.put("new.txt")
    world.found()
    assert world.changes.sent == []


def test_mending_sends_what_the_object_is_right_after_the_last_known_change(world: World) -> None:
    world.put("new.txt")
    world.put("stuck.txt")
    world.record("stuck.txt", status=PROCESSING)
    world.record("gone.txt")
    world.found(fix=True)
    etag = next(world.inbox.objects("new")).etag
    assert world.changes.sent == [
        ObjectChange(ChangeKind.DELETED, ObjectRef("bucket", "inbox/gone.txt"), "0100"),
        ObjectChange(ChangeKind.CREATED, ObjectRef("bucket", "inbox/new.txt"), "0000000000000001", etag=etag),
        ObjectChange(ChangeKind.CREATED, ObjectRef("bucket", "inbox/stuck.txt"), "0100", etag=etag),
    ]


class Racing(FakeRegistry):
    """A registry whose documents are finished anew as soon as they are looked at one by one."""

    def get(self, document_id: str) -> DocumentRecord | None:
        record = super().get(document_id)
        return record and replace(record, updated_at=NOW.isoformat())


def test_what_has_changed_since_it_was_listed_is_in_ingestion_s_hands(world: World) -> None:
    world.record("gone.txt")
    racing = replace(world.reconciliation, registry=Racing(world.registry.records))
    assert racing.compare(Position()).findings == ()


def test_chunks_of_documents_that_nothing_knows_are_found_and_removed(world: World) -> None:
    lost = ObjectRef("bucket", "inbox/lost.txt")
    elsewhere = ObjectRef("other-bucket", "inbox/before.txt")
    made = [chunk("x", document_id=d.document_id, source=d.source, version=v) for d in (lost, elsewhere) for v in "ab"]
    world.index.add([EmbeddedChunk(each, [1.0]) for each in made])
    unknown = {("before.txt", Problem.UNKNOWN_CHUNKS), ("lost.txt", Problem.UNKNOWN_CHUNKS)}
    assert set(world.found()) == unknown
    assert world.index.count() == 8
    assert set(world.found(fix=True)) == unknown
    assert (world.index.count(), world.changes.sent, world.found()) == (4, [], [])


def test_chunks_of_a_document_that_is_being_read_are_its_own(world: World) -> None:
    world.put("new.txt")
    record = world.record("new.txt", status=PROCESSING, version=None, updated_at=RECENT.isoformat())
    world.index_chunks(record, 3)
    assert world.found(fix=True) == []
    assert world.index.count(record.document_id) == 3


def test_chunks_of_an_object_without_a_record_are_left_to_its_ingestion(world: World) -> None:
    world.put("new.txt")
    world.index.add([EmbeddedChunk(chunk("x", document_id=place("new.txt").document_id, source="new.txt"), [1.0])])
    assert world.found(fix=True) == [("new.txt", Problem.UNKNOWN_OBJECT)]
    assert (world.index.count(place("new.txt").document_id), len(world.changes.sent)) == (1, 1)


class Claiming(FakeIndex):
    """An index of which a document is claimed, and written anew, as soon as its chunks were read."""

    def __init__(self, world: World, record: DocumentRecord) -> None:
        super().__init__(dimensions=1, store=world.index.store)
        self._world, self._record = world, record

    def chunks(self, document_id: str | None = None, *, after: str = "") -> Iterator[Chunk]:
        yield from list(super().chunks(document_id, after=after))
        self._world.registry.records[self._record.document_id] = self._record


def test_a_document_that_comes_while_its_strays_are_looked_at_keeps_its_chunks(world: World) -> None:
    record = world.record("back.txt")
    del world.registry.records[record.document_id]
    world.index_chunks(record, 2)
    claiming = Claiming(world, record)
    racing = replace(world.reconciliation, reader=claiming, index=claiming)
    assert racing.compare(Position(), fix=True).findings == ()
    assert world.index.count(record.document_id) == 2


def place(source: str) -> ObjectRef:
    return ObjectRef("bucket", INBOX + source)


STATES = st.sampled_from(["in step", "unknown", "gone", "changed", "stuck", "miscounted", "stray"])
SOURCES = st.text(st.characters(exclude_categories=("Cs", "Cc")), min_size=1, max_size=3).filter(
    lambda source: not source.endswith("/")
)


def arrange(world: World, source: str, state: str) -> Problem | None:
    """Bring a document into a state; what has to be said of it."""
    if state not in ("gone", "stray"):
        world.put(source)
    match state:
        case "in step":
            world.index_chunks(world.record(source), 2)
            return None
        case "unknown":
            return Problem.UNKNOWN_OBJECT
        case "gone":
            world.record(source)
            return Problem.OBJECT_GONE
        case "changed":
            world.record(source, etag="another")
            return Problem.CHANGED_OBJECT
        case "stuck":
            world.record(source, status=PROCESSING)
            return Problem.STUCK
        case "stray":
            left = chunk("x", document_id=place(source).document_id, source=source)
            world.index.add([EmbeddedChunk(left, [1.0])])
            return Problem.UNKNOWN_CHUNKS
        case _:
            world.index_chunks(world.record(source), 1)
            return Problem.CHUNKS_DIFFER


@settings(deadline=None)
@given(st.dictionaries(SOURCES, STATES, max_size=12), st.integers(1, 4), st.integers(1, 3), st.integers(1, 3))
def test_a_comparison_in_any_stretches_finds_each_document_once(
    states: dict[str, str], batch: int, page: int, most: int
) -> None:
    world = World()
    expected = {source: arrange(world, source, state) for source, state in states.items()}
    found: list[tuple[str, Problem]] = []
    count = 0
    position: Position | None = Position()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reconcile, "BATCH", batch)
        patch.setattr(reconcile, "PAGE", page)
        while position is not None:
            compared = world.reconciliation.compare(position, most=most)
            found += [(finding.source, finding.problem) for finding in compared.findings]
            count += compared.count
            position = compared.position
    ordered = sorted(((s, problem) for s, problem in expected.items() if problem), key=lambda each: each[0].encode())
    strays = [each for each in ordered if each[1] is Problem.UNKNOWN_CHUNKS]
    compared_first = [each for each in ordered if each not in strays]
    assert (found[: len(compared_first)], sorted(found[len(compared_first) :])) == (compared_first, sorted(strays))
    assert count == len(states) - len(strays)
