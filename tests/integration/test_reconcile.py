"""Bucket, registry and index out of step, and in step again: S3, DynamoDB and SQS on MiniStack, an index on disk."""

from __future__ import annotations

import json
import time
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from ragstone.aws.change_queue import SqsChangeQueue
from ragstone.aws.document_registry import DynamoDocumentRegistry
from ragstone.aws.inbox import S3Inbox
from ragstone.aws.object_store import S3ObjectStore
from ragstone.chunking import RecursiveChunker
from ragstone.chunking.filters import KEEP_ALL
from ragstone.index.embedded import EmbeddedIndex
from ragstone.index.readers import EmbeddedReader
from ragstone.ingestion import Chunking, Ingestion, change_of, reconcile
from ragstone.ingestion.reconcile import Position, Problem, Reconciliation
from ragstone.types import INBOX, ChangeKind, ObjectChange, ObjectRef
from tests.support.buckets import versioned_bucket
from tests.support.fake_embedder import FakeEmbedder
from tests.support.fixtures_ministack import Account
from tests.support.parsing import parse
from tests.support.tables import DOCUMENTS_TABLE, create_documents_table

LATER = timedelta(hours=2)
TEXT = "The night ferry runs on Tuesdays only. " * 20


class World:
    """A bucket whose events arrive only when `tell` says so, and what ingestion has made of them."""

    def __init__(self, account: Account, folder: Path) -> None:
        self.account = account
        self.bucket = f"documents-{uuid4().hex}"
        versioned_bucket(account, self.bucket)
        create_documents_table(account)
        self.s3, self.sqs = account.client("s3"), account.client("sqs")
        self.queue = self.sqs.create_queue(QueueName="ingest")["QueueUrl"]
        self.registry = DynamoDocumentRegistry(account.resource("dynamodb"), table=DOCUMENTS_TABLE, namespace="chunks")
        embedder = FakeEmbedder()
        self.index = EmbeddedIndex(folder, name="chunks", embedder_spec="fake", dimensions=embedder.dimensions)
        self.reader = EmbeddedReader(folder, name="chunks")
        self.ingestion = Ingestion(
            store=S3ObjectStore(self.s3, max_bytes=1_000_000),
            registry=self.registry,
            index=self.index,
            embedder=embedder,
            chunking=Chunking(chunker=RecursiveChunker(200, 0), filters=KEEP_ALL),
            parse=parse,
        )
        self.reconciliation = Reconciliation(
            inbox=S3Inbox(self.s3, bucket=self.bucket),
            registry=self.registry,
            index=self.index,
            reader=self.reader,
            changes=SqsChangeQueue(self.sqs, queue_url=self.queue),
            fingerprint=self.ingestion.fingerprint,
            now=lambda: datetime.now(UTC) + LATER,
        )

    def put(self, source: str, text: str = TEXT) -> str:
        """The new object's etag."""
        reply = self.s3.put_object(Bucket=self.bucket, Key=INBOX + source, Body=text.encode())
        return reply["ETag"].strip('"')

    def remove(self, source: str) -> None:
        self.s3.delete_object(Bucket=self.bucket, Key=INBOX + source)

    def place(self, source: str) -> ObjectRef:
        return ObjectRef(self.bucket, INBOX + source)

    def created(self, source: str, etag: str) -> ObjectChange:
        return ObjectChange(ChangeKind.CREATED, self.place(source), f"{time.time_ns():016X}", etag=etag)

    def add(self, source: str, text: str = TEXT) -> None:
        assert self.ingestion.apply(self.created(source, self.put(source, text)))

    def found(self, *, fix: bool = False, **more: Any) -> list[tuple[str, Problem]]:
        compared = self.reconciliation.compare(Position(), fix=fix, **more)
        assert compared.position is None
        return [(finding.source, finding.problem) for finding in compared.findings]

    def carry_out(self) -> int:
        """Ingest what is in the queue; how much that was."""
        count = 0
        while messages := self.sqs.receive_message(QueueUrl=self.queue, MaxNumberOfMessages=10).get("Messages"):
            for message in messages:
                change = change_of(json.loads(message["Body"]))
                assert change is not None
                self.ingestion.apply(change)
                self.sqs.delete_message(QueueUrl=self.queue, ReceiptHandle=message["ReceiptHandle"])
                count += 1
        return count

    def quotable(self, source: str) -> str:
        """What answers may quote of a document: the index held against the registry."""
        document_id = self.place(source).document_id
        current = self.registry.current([document_id]).get(document_id)
        chunks = self.reader.chunks(document_id)
        return " ".join(chunk.text for chunk in chunks if current and chunk.version == current.version)


@pytest.fixture
def world(account: Account, tmp_path: Path) -> World:
    return World(account, tmp_path)


BROKEN = [
    ("changed.txt", Problem.CHANGED_OBJECT),
    ("gone.txt", Problem.OBJECT_GONE),
    ("lost-chunks.txt", Problem.CHUNKS_DIFFER),
    ("new \uffee.txt", Problem.UNKNOWN_OBJECT),
    ("new 🚢.txt", Problem.UNKNOWN_OBJECT),
    ("stuck.txt", Problem.STUCK),
]


def break_in_every_way(world: World) -> None:
    for source in ("changed.txt", "fine.txt", "gone.txt", "lost-chunks.txt", "stuck.txt"):
        world.add(source)
    world.put("changed.txt", "The night ferry is cancelled.")
    world.remove("gone.txt")
    (some, *_) = world.reader.chunks(world.place("lost-chunks.txt").document_id)
    world.index.remove(some.document_id)
    world.put("new \uffee.txt")
    world.put("new 🚢.txt")
    world.registry.begin(world.created("stuck.txt", world.put("stuck.txt", "New rules for the ferry.")))


def test_what_is_in_step_is_not_reported(world: World) -> None:
    world.add("a.txt")
    world.add("Ä b.txt")
    world.add("empty.txt", "")
    world.add("damaged.pdf", "%PDF-1.7 and then nothing")
    world.s3.put_object(Bucket=world.bucket, Key="inbox/a.txt.metadata.json", Body=b"{}")
    world.s3.put_object(Bucket=world.bucket, Key="inbox/folder/", Body=b"")
    world.s3.put_object(Bucket=world.bucket, Key="elsewhere/b.txt", Body=b"text")
    assert world.found() == []


def test_every_kind_of_discord_is_found_and_nothing_is_touched(world: World) -> None:
    break_in_every_way(world)
    assert world.found() == BROKEN
    assert world.found() == BROKEN
    assert world.carry_out() == 0


def test_every_kind_of_discord_is_mended(world: World) -> None:
    break_in_every_way(world)
    versions = len(world.s3.list_object_versions(Bucket=world.bucket)["Versions"])
    assert world.found(fix=True) == BROKEN
    assert world.carry_out() == len(BROKEN)
    assert world.found() == []
    assert world.quotable("changed.txt") == "The night ferry is cancelled."
    assert world.quotable("stuck.txt") == "New rules for the ferry."
    assert world.quotable("gone.txt") == ""
    for source in ("fine.txt", "lost-chunks.txt", "new 🚢.txt"):
        assert world.quotable(source).split() == TEXT.split()
    assert len(world.s3.list_object_versions(Bucket=world.bucket)["Versions"]) == versions


def test_documents_of_other_settings_are_read_anew(world: World) -> None:
    world.add("a.txt")
    world.ingestion = replace(world.ingestion, chunking=Chunking(chunker=RecursiveChunker(400, 0), filters=KEEP_ALL))
    world.reconciliation = replace(world.reconciliation, fingerprint=world.ingestion.fingerprint)
    before = world.index.count()
    assert world.found(fix=True) == [("a.txt", Problem.OUTDATED)]
    world.carry_out()
    assert world.found() == []
    assert 0 < world.index.count() < before


def test_a_file_that_is_uploaded_while_its_loss_is_mended_stays(world: World) -> None:
    world.add("a.txt")
    world.remove("a.txt")
    assert world.found(fix=True) == [("a.txt", Problem.OBJECT_GONE)]
    world.add("a.txt", "Back again, with other words.")
    world.carry_out()
    assert world.quotable("a.txt") == "Back again, with other words."
    assert world.found() == []


def test_an_event_that_is_late_wins_over_the_mending(world: World) -> None:
    world.add("a.txt")
    late = world.created("a.txt", world.put("a.txt", "Newer words."))
    assert world.found(fix=True) == [("a.txt", Problem.CHANGED_OBJECT)]
    world.carry_out()
    world.ingestion.apply(late)
    assert world.quotable("a.txt") == "Newer words."
    assert world.found() == []


def test_chunks_that_the_registry_lost_are_removed(world: World) -> None:
    for source in ("kept.txt", "lost.txt"):
        world.add(source)
    lost = world.place("lost.txt").document_id
    before = world.index.count()
    world.account.resource("dynamodb").Table(DOCUMENTS_TABLE).delete_item(Key={"pk": f"chunks#{lost}"})
    world.remove("lost.txt")
    assert world.found() == [("lost.txt", Problem.UNKNOWN_CHUNKS)]
    assert world.found(fix=True) == [("lost.txt", Problem.UNKNOWN_CHUNKS)]
    assert (world.found(), world.index.count(), world.carry_out()) == ([], before // 2, 0)
    assert world.quotable("kept.txt").split() == TEXT.split()


@pytest.fixture
def small_pages(world: World, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Pages of two objects and three records, compared two at a time; how many objects each listing brought."""
    listed: list[int] = []

    def ask_for_two(params: dict[str, Any], **_: object) -> dict[str, Any]:
        return {**params, "MaxKeys": 2}

    def note(parsed: dict[str, Any], **_: object) -> None:
        listed.append(parsed["KeyCount"])

    events = world.s3.meta.events
    events.register("provide-client-params.s3.ListObjectsV2", ask_for_two)
    events.register("after-call.s3.ListObjectsV2", note)
    monkeypatch.setattr(reconcile, "PAGE", 3)
    monkeypatch.setattr(reconcile, "BATCH", 2)
    return listed


def test_a_comparison_goes_on_where_it_stopped(world: World, small_pages: list[int]) -> None:
    """In pages: a stretch reads no further than it compares, and each document is looked at once."""
    listed = small_pages
    for number in range(9):
        world.add(f"{number}.txt", "The ferry runs.")
    for source in ("1 new.txt", "4 new.txt", "8 new.txt"):
        world.put(source)
    found: list[str] = []
    counts: list[int] = []
    position: Position | None = Position()
    listed.clear()
    while position is not None:
        compared = world.reconciliation.compare(position, most=1)
        found += [finding.source for finding in compared.findings]
        counts.append(compared.count)
        position = compared.position
        assert sum(listed) <= compared.count + 4
        listed.clear()
    assert found == ["1 new.txt", "4 new.txt", "8 new.txt"]
    assert sum(counts) == 12
    assert len(counts) > 2


def test_a_comparison_stops_when_it_is_told_and_loses_nothing(world: World, small_pages: list[int]) -> None:
    for number in range(5):
        world.put(f"{number}.txt")
    compared = world.reconciliation.compare(Position(), stop=lambda: True)
    assert (compared.count, compared.position) == (2, Position("1.txt"))
    assert compared.position is not None
    rest = world.reconciliation.compare(compared.position)
    assert [finding.source for finding in (*compared.findings, *rest.findings)] == [f"{n}.txt" for n in range(5)]
