"""Whether an index that is not live holds what the bucket holds, and the changes that bring it there."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import Enum, auto

from ragstone.ingestion.reconcile import COUNTERS, Pair, Position, batches, mending, place_of
from ragstone.ports import ChangeQueue, DocumentRegistry, Inbox
from ragstone.types import INBOX, DocumentRecord, DocumentStatus, InboxObject, ObjectRef

CLOCKS_DIFFER_BY = timedelta(minutes=1)
SHOWN = 20


class State(Enum):
    """How a document stands: as in the bucket (or no worse than in the live index), under way, or failed for good."""

    DONE = auto()
    WAITING = auto()
    FAILED = auto()


@dataclass(frozen=True, slots=True)
class Failure:
    """A document that a retry did not mend, and what was said of it."""

    source: str
    message: str


@dataclass(frozen=True, slots=True)
class Stretch:
    """A part of the bucket: so many documents, of which changes were `sent`, or failed (`failures` names the first).

    `waiting` is the first document that is not there yet; the stretch ends before it. `position` goes on, None at the
    end.
    """

    documents: int
    sent: int = 0
    failed: int = 0
    failures: tuple[Failure, ...] = ()
    waiting: str | None = None
    position: Position | None = None


def _now() -> datetime:
    return datetime.now(UTC)


@dataclass(frozen=True, slots=True, kw_only=True)
class Coverage:
    """Holds the bucket against the registry of one generation, a page of each side at a time in memory.

    `begun_at` is when changes began to go to that generation too: what the bucket held then has to be sent, and what
    has changed since may still be on its way unless the `live` generation has it already. A failure counts as one for
    good after `patience`, which has to be longer than the pause between two tries.
    """

    inbox: Inbox
    registry: DocumentRegistry
    live: DocumentRegistry
    changes: ChangeQueue
    fingerprint: str
    begun_at: datetime
    patience: timedelta
    now: Callable[[], datetime] = _now

    def send(self, start: Position, *, stop: Callable[[], bool] = lambda: False) -> Stretch:
        """Send a change for each document that is not as in the bucket, to the end or until `stop` says so."""
        documents = sent = 0
        with ThreadPoolExecutor(COUNTERS) as threads:
            for batch, position in batches(self.inbox, self.registry, start):
                sent += sum(threads.map(self._send, batch))
                documents += _objects(batch)
                if stop():
                    return Stretch(documents, sent, position=position)
        return Stretch(documents, sent)

    def check(self, start: Position, *, stop: Callable[[], bool] = lambda: False) -> Stretch:
        """Look whether all is there, to the end, the first document that is waited for, or until `stop` says so."""
        documents, failures, before = 0, list[Failure](), start
        with ThreadPoolExecutor(COUNTERS) as threads:
            for batch, position in batches(self.inbox, self.registry, start):
                judged = list(threads.map(self._judged, batch))
                waiting = next((pair for pair, state in judged if state is State.WAITING), None)
                if waiting is not None:
                    source = place_of(self.inbox.bucket, waiting).source
                    return _checked(documents, failures, waiting=source, position=before)
                failures += [_failure(record) for (_, record), state in judged if record and state is State.FAILED]
                documents, before = documents + _objects(batch), position
                if stop():
                    return _checked(documents, failures, position=position)
        return _checked(documents, failures)

    def _send(self, pair: Pair) -> bool:
        (found, record), state = self._judged(pair)
        if state is not State.DONE:
            self.changes.send(mending(place_of(self.inbox.bucket, pair), found, record))
        return state is not State.DONE

    def _judged(self, pair: Pair) -> tuple[Pair, State]:
        """Listings of the registry lag behind: what does not look done is looked at again."""
        state = self._state(*pair)
        if state is State.DONE:
            return pair, state
        found, record = pair[0], self.registry.get(place_of(self.inbox.bucket, pair).document_id)
        return (found, record), self._state(found, record)

    def _state(self, found: InboxObject | None, record: DocumentRecord | None) -> State:
        if _is_as(found, record) and self._is_up_to_date(record):
            held = self.live.get(record.document_id) if record else None
            return State.DONE if _is_same(record, held) else State.WAITING
        if record and record.status is DocumentStatus.FAILED and self._is_old(record):
            return State.FAILED
        return State.WAITING if self._is_due(found, record) else State.DONE

    def _is_up_to_date(self, record: DocumentRecord | None) -> bool:
        return record is None or record.version is None or record.fingerprint == self.fingerprint

    def _is_due(self, found: InboxObject | None, record: DocumentRecord | None) -> bool:
        """Whether its change was made before all changes came here too, or the live generation has it already."""
        if found is not None and found.modified_at < self.begun_at + CLOCKS_DIFFER_BY:
            return True
        source = found.source if found else record.source if record else ""
        return _is_as(found, self.live.get(ObjectRef(self.inbox.bucket, INBOX + source).document_id))

    def _is_old(self, record: DocumentRecord) -> bool:
        return self.now() - datetime.fromisoformat(record.updated_at) > self.patience


def _is_as(found: InboxObject | None, record: DocumentRecord | None) -> bool:
    """Whether the record tells how this very object ended; of none, whether there is nothing to quote."""
    if record is None or found is None:
        return found is None and (record is None or record.version is None)
    is_settled = record.status.is_final and record.status is not DocumentStatus.DELETED
    return is_settled and record.etag in ("", found.etag)


def _is_same(record: DocumentRecord | None, held: DocumentRecord | None) -> bool:
    """Whether both have the same of a document, sidecar included; what is not settled or has no text does not count."""
    if record is None or held is None or record.version is None or held.version is None:
        return True
    return not held.status.is_final or record.content_hash == held.content_hash


def _failure(record: DocumentRecord) -> Failure:
    return Failure(record.source, record.message or "")


def _objects(batch: list[Pair]) -> int:
    return sum(found is not None for found, _ in batch)


def _checked(
    documents: int, failures: list[Failure], *, waiting: str | None = None, position: Position | None = None
) -> Stretch:
    return Stretch(documents, 0, len(failures), tuple(failures[:SHOWN]), waiting, position)
