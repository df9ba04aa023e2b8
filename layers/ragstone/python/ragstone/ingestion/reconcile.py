"""Bucket, registry and index side by side: what no event has told, or what came of none."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from itertools import islice
from typing import NamedTuple

from ragstone.ingestion.merge import merged
from ragstone.ports import ChangeQueue, ChunkIndex, DocumentRegistry, Inbox
from ragstone.types import INBOX, ChangeKind, DocumentRecord, DocumentStatus, InboxObject, ObjectChange, ObjectRef

STUCK_AFTER = timedelta(hours=1)
EVENT_TAKES = timedelta(minutes=10)
"""A younger object may be ahead of its event, which is nothing to report."""

BATCH = 200
COUNTERS = 8
PAGE = 1_000


class Problem(StrEnum):
    UNKNOWN_OBJECT = "unknown_object"
    CHANGED_OBJECT = "changed_object"
    OBJECT_GONE = "object_gone"
    STUCK = "stuck"
    OUTDATED = "outdated"
    CHUNKS_DIFFER = "chunks_differ"


@dataclass(frozen=True, slots=True)
class Finding:
    """A document that is not as its object is, and why; carrying out `change` mends it."""

    source: str
    problem: Problem
    message: str
    change: ObjectChange


@dataclass(frozen=True, slots=True)
class Position:
    """How far a comparison has come: after which source, and on which page of the registry."""

    after: str = ""
    page: str | None = None


@dataclass(frozen=True, slots=True)
class Compared:
    """One stretch of a comparison; `position` goes on with the next, None at the end."""

    findings: tuple[Finding, ...]
    count: int
    position: Position | None


Pair = tuple[InboxObject | None, DocumentRecord | None]


class Verdict(NamedTuple):
    """What is wrong with a document, as a code and for people."""

    problem: Problem
    message: str


def _now() -> datetime:
    return datetime.now(UTC)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reconciliation:
    """Compares by source, a page of each side at a time in memory, and mends by sending changes to ingestion.

    A change that is sent is ordered right after the last one that the registry knows of: any event that S3 has sent
    since, or will send, wins over it. Nothing in the bucket is touched.
    """

    inbox: Inbox
    registry: DocumentRegistry
    index: ChunkIndex
    changes: ChangeQueue
    fingerprint: str
    now: Callable[[], datetime] = _now

    def compare(
        self, start: Position, *, fix: bool = False, most: int = 1_000, stop: Callable[[], bool] = lambda: False
    ) -> Compared:
        """From `start` to the end, or until there are `most` findings or `stop` says so."""
        records = _Records(self.registry, self.inbox.bucket, start)
        objects = self.inbox.objects(after=start.after)
        pairs = merged(objects, records, left_key=_source_key, right_key=_source_key)
        findings: list[Finding] = []
        count = 0
        with ThreadPoolExecutor(COUNTERS) as threads:
            while batch := list(islice(pairs, BATCH)):
                found = [finding for finding in threads.map(self._finding, batch) if finding]
                for finding in found if fix else ():
                    self.changes.send(finding.change)
                findings += found
                count += len(batch)
                if len(findings) >= most or stop():
                    return Compared(tuple(findings), count, Position(_source(batch[-1]), records.page))
        return Compared(tuple(findings), count, None)

    def _finding(self, pair: Pair) -> Finding | None:
        found, record = pair
        verdict = self._without_record(found) if record is None else self._of_record(record, found)
        place = ObjectRef(self.inbox.bucket, INBOX + _source(pair))
        # Listings lag behind; what has changed since is in ingestion's hands.
        if verdict is None or self.registry.get(place.document_id) != record:
            return None
        return Finding(place.source, verdict.problem, verdict.message, _change(place, found, record))

    def _without_record(self, found: InboxObject | None) -> Verdict | None:
        is_new = found is not None and self._is_new(found)
        return None if is_new else Verdict(Problem.UNKNOWN_OBJECT, "The registry does not know it.")

    def _of_record(self, record: DocumentRecord, found: InboxObject | None) -> Verdict | None:
        if not record.status.is_final:
            is_stuck = self.now() - datetime.fromisoformat(record.updated_at) > STUCK_AFTER
            stuck = Verdict(Problem.STUCK, f"It has been {record.status} since {record.updated_at}.")
            return stuck if is_stuck else None
        if found is None:
            is_deleted = record.status is DocumentStatus.DELETED
            gone = Verdict(Problem.OBJECT_GONE, "Its file is no longer in the bucket.")
            return self._miscount(record) if is_deleted else gone
        return self._of_both(record, found)

    def _of_both(self, record: DocumentRecord, found: InboxObject) -> Verdict | None:
        if record.status is DocumentStatus.DELETED or record.etag not in ("", found.etag):
            changed = Verdict(Problem.CHANGED_OBJECT, "Its file is another than the one that was last read.")
            return None if self._is_new(found) else changed
        if record.version and record.fingerprint != self.fingerprint:
            return Verdict(Problem.OUTDATED, "It was indexed with other settings than today's.")
        return self._miscount(record)

    def _miscount(self, record: DocumentRecord) -> Verdict | None:
        count = self.index.count(record.document_id)
        differ = f"The index has {count} of its chunks, and the registry says {record.chunks}."
        return None if count == record.chunks else Verdict(Problem.CHUNKS_DIFFER, differ)

    def _is_new(self, found: InboxObject) -> bool:
        return self.now() - found.modified_at < EVENT_TAKES


@dataclass(slots=True)
class _Records:
    """The registry's records of one bucket from a position on; `page` is the cursor of the page that is being read."""

    registry: DocumentRegistry
    bucket: str
    start: Position
    page: str | None = field(init=False)

    def __post_init__(self) -> None:
        self.page = self.start.page

    def __iter__(self) -> Iterator[DocumentRecord]:
        while True:
            read = self.registry.page(limit=PAGE, cursor=self.page)
            yield from self._ours(read.documents)
            if read.cursor is None:
                return
            self.page = read.cursor

    def _ours(self, records: Iterable[DocumentRecord]) -> Iterator[DocumentRecord]:
        after = self.start.after.encode()
        return (r for r in records if r.bucket == self.bucket and r.source.encode() > after)


def _change(place: ObjectRef, found: InboxObject | None, record: DocumentRecord | None) -> ObjectChange:
    """What brings the document to what its object is, or to nothing."""
    sequencer = _following(record.sequencer if record else "")
    if found is None:
        return ObjectChange(ChangeKind.DELETED, place, sequencer)
    return ObjectChange(ChangeKind.CREATED, place, sequencer, etag=found.etag)


def _following(sequencer: str) -> str:
    """The hexadecimal number right after: S3 puts more than that between two changes."""
    return f"{int(sequencer or '0', 16) + 1:0{len(sequencer)}X}"


def _source_key(item: InboxObject | DocumentRecord) -> bytes:
    return item.source.encode()


def _source(pair: Pair) -> str:
    found, record = pair
    return found.source if found else record.source if record else ""
