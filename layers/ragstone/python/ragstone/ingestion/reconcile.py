"""Bucket, registry and index side by side: what no event has told, or what came of none."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from itertools import chain, islice
from typing import NamedTuple

from ragstone.ingestion.merge import merged
from ragstone.ports import ChangeQueue, ChunkIndex, ChunkReader, DocumentRegistry, Inbox
from ragstone.types import INBOX, ChangeKind, DocumentRecord, DocumentStatus, InboxObject, ObjectChange, ObjectRef

STUCK_AFTER = timedelta(hours=1)
EVENT_TAKES = timedelta(minutes=10)
"""A younger object may be ahead of its event, which is nothing to report."""

SEQUENCER_DIGITS = 16
"""Of a sequencer where S3's own is not known: sequencers compare as if they were padded on the right."""

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
    UNKNOWN_CHUNKS = "unknown_chunks"


class StrayVersion(NamedTuple):
    """Chunks that no document has."""

    document_id: str
    version: str


@dataclass(frozen=True, slots=True)
class Finding:
    """What is not as it should be, and why; carrying out `change` mends it, or removing the `strays`."""

    source: str
    problem: Problem
    message: str
    change: ObjectChange | None = None
    strays: tuple[StrayVersion, ...] = ()


@dataclass(frozen=True, slots=True)
class Position:
    """How far a comparison has come: after which source, and on which page of the registry.

    Where all sources are compared, it is after which document of the index.
    """

    after: str = ""
    page: str | None = None
    indexed: str | None = None


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
    since, or will send, wins over it. Nothing in the bucket is touched. Chunks of documents that neither bucket nor
    registry know are removed at once.
    """

    inbox: Inbox
    registry: DocumentRegistry
    index: ChunkIndex
    reader: ChunkReader
    changes: ChangeQueue
    fingerprint: str
    now: Callable[[], datetime] = _now

    def compare(
        self, start: Position, *, fix: bool = False, most: int = 1_000, stop: Callable[[], bool] = lambda: False
    ) -> Compared:
        """From `start` to the end, or until there are `most` findings or `stop` says so."""
        findings: list[Finding] = []
        count = 0
        with ThreadPoolExecutor(COUNTERS) as threads:
            for stretch in chain(self._documents(start, threads), self._strays(start.indexed or "", threads)):
                for finding in stretch.findings if fix else ():
                    self._mend(finding)
                findings += stretch.findings
                count += stretch.count
                if len(findings) >= most or stop():
                    return Compared(tuple(findings), count, stretch.position)
        return Compared(tuple(findings), count, None)

    def _mend(self, finding: Finding) -> None:
        if finding.change:
            self.changes.send(finding.change)
        for stray in finding.strays:
            self.index.remove(stray.document_id, version=stray.version)

    def _documents(self, start: Position, threads: ThreadPoolExecutor) -> Iterator[Compared]:
        if start.indexed is None:
            for batch, position in batches(self.inbox, self.registry, start):
                found = tuple(finding for finding in threads.map(self._finding, batch) if finding)
                yield Compared(found, len(batch), position)

    def _strays(self, after: str, threads: ThreadPoolExecutor) -> Iterator[Compared]:
        """What the index has of documents that are neither in the registry nor, as objects, in the bucket."""
        document_ids = self.reader.document_ids(after=after)
        while batch := list(islice(document_ids, BATCH)):
            known = self.registry.current(batch)
            unknown = (document_id for document_id in batch if document_id not in known)
            found = tuple(finding for finding in threads.map(self._stray, unknown) if finding)
            yield Compared(found, 0, Position(indexed=batch[-1]))

    def _stray(self, document_id: str) -> Finding | None:
        """A document is claimed before its chunks are written: none that was read before the last look is new."""
        if self.registry.get(document_id) is not None:
            return None
        versions = {chunk.version: chunk.source for chunk in self.reader.chunks(document_id)}
        if not versions or self.registry.get(document_id) is not None:
            return None
        source, strays = max(versions.values()), tuple(StrayVersion(document_id, version) for version in versions)
        if self._is_there(ObjectRef(self.inbox.bucket, INBOX + source), document_id):
            return None  # its object has no record either: reading it anew removes what is older
        message = "The index has chunks of it, and neither the registry nor the bucket knows it."
        return Finding(source, Problem.UNKNOWN_CHUNKS, message, strays=strays)

    def _is_there(self, place: ObjectRef, document_id: str) -> bool:
        first = next(self.inbox.objects(place.source), None)
        return place.document_id == document_id and first is not None and first.source == place.source

    def _finding(self, pair: Pair) -> Finding | None:
        found, record = pair
        verdict = self._without_record(found) if record is None else self._of_record(record, found)
        place = place_of(self.inbox.bucket, pair)
        # Listings lag behind; what has changed since is in ingestion's hands.
        if verdict is None or self.registry.get(place.document_id) != record:
            return None
        return Finding(place.source, verdict.problem, verdict.message, mending(place, found, record))

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


def batches(inbox: Inbox, registry: DocumentRegistry, start: Position) -> Iterator[tuple[list[Pair], Position]]:
    """Objects and records side by side, some at a time, and where to go on after them."""
    records = _Records(registry, inbox.bucket, start)
    pairs = merged(inbox.objects(after=start.after), records, left_key=_source_key, right_key=_source_key)
    while batch := list(islice(pairs, BATCH)):
        yield batch, Position(_source(batch[-1]), records.page)


def place_of(bucket: str, pair: Pair) -> ObjectRef:
    return ObjectRef(bucket, INBOX + _source(pair))


def mending(place: ObjectRef, found: InboxObject | None, record: DocumentRecord | None) -> ObjectChange:
    """The change that brings the document to what its object is, or to nothing."""
    sequencer = _following(record.sequencer if record else "")
    if found is None:
        return ObjectChange(ChangeKind.DELETED, place, sequencer)
    return ObjectChange(ChangeKind.CREATED, place, sequencer, etag=found.etag)


def _following(sequencer: str) -> str:
    """The hexadecimal number right after: S3 puts more than that between two changes, and more before the first."""
    return f"{int(sequencer or '0', 16) + 1:0{len(sequencer) or SEQUENCER_DIGITS}X}"


def _source_key(item: InboxObject | DocumentRecord) -> bytes:
    return item.source.encode()


def _source(pair: Pair) -> str:
    found, record = pair
    return found.source if found else record.source if record else ""
