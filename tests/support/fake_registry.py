"""A document registry in memory; it passes the same contract as DynamoDB's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from threading import Lock

from ragstone.aws.document_registry import padded
from ragstone.ports import EVERYTHING
from ragstone.types import (
    CurrentVersion,
    DocumentFilter,
    DocumentPage,
    DocumentRecord,
    DocumentStatus,
    ObjectChange,
    Part,
)

FIELDS = {Part.CONTENT: "sequencer", Part.SIDECAR: "sidecar_sequencer"}


@dataclass
class FakeRegistry:
    """`calls` counts the batch reads."""

    records: dict[str, DocumentRecord] = field(default_factory=dict[str, DocumentRecord])
    calls: int = 0
    done: dict[str, tuple[str, str]] = field(default_factory=dict[str, tuple[str, str]])
    _lock: Lock = field(default_factory=Lock)

    def begin(self, change: ObjectChange, *, acl: Sequence[str] | None = None) -> DocumentRecord | None:
        document = change.object
        with self._lock:
            known = self.records.get(document.document_id) or DocumentRecord(
                document.document_id, document.bucket, document.key, "", DocumentStatus.PROCESSING
            )
            if not self._is_due(change, known):
                return None
            held = known.acl if acl is None else tuple(acl)
            sequencer = {FIELDS[change.part]: change.sequencer}
            claimed = replace(known, status=DocumentStatus.PROCESSING, acl=held, **sequencer)
            self.records[document.document_id] = claimed
            return claimed

    def finish(self, record: DocumentRecord) -> bool:
        with self._lock:
            if not _is_same_claim(record, self.records[record.document_id]):
                return False
            self.records[record.document_id] = record
            self.done[record.document_id] = (padded(record.sequencer), padded(record.sidecar_sequencer))
            return True

    def fail(self, record: DocumentRecord, message: str) -> None:
        with self._lock:
            known = self.records[record.document_id]
            if _is_same_claim(record, known):
                failed = replace(known, status=DocumentStatus.FAILED, reason="temporary", message=message)
                self.records[record.document_id] = failed
                self.done.pop(record.document_id, None)

    def get(self, document_id: str) -> DocumentRecord | None:
        return self.records.get(document_id)

    def current(self, document_ids: Sequence[str]) -> Mapping[str, CurrentVersion]:
        self.calls += 1
        found = (self.records.get(document_id) for document_id in document_ids)
        return {r.document_id: CurrentVersion(r.version, r.acl) for r in found if r is not None and r.version}

    def page(self, *, limit: int = 100, cursor: str | None = None, where: DocumentFilter = EVERYTHING) -> DocumentPage:
        shown = (record for record in self.records.values() if _is_shown(record, where))
        ordered = sorted(shown, key=lambda record: record.source)
        rest = [record for record in ordered if cursor is None or record.source > cursor]
        return DocumentPage(tuple(rest[:limit]), rest[limit - 1].source if len(rest) > limit else None)

    def _is_due(self, change: ObjectChange, known: DocumentRecord) -> bool:
        place = (Part.CONTENT, Part.SIDECAR).index(change.part)
        claimed = padded((known.sequencer, known.sidecar_sequencer)[place])
        done = self.done.get(known.document_id, (padded(""), padded("")))[place]
        return padded(change.sequencer) > claimed or (padded(change.sequencer) == claimed > done)


def _is_same_claim(record: DocumentRecord, known: DocumentRecord) -> bool:
    claims = ((record.sequencer, record.sidecar_sequencer), (known.sequencer, known.sidecar_sequencer))
    mine, held = (tuple(map(padded, claim)) for claim in claims)
    return mine == held


def _is_shown(record: DocumentRecord, where: DocumentFilter) -> bool:
    return (
        record.source.startswith(where.prefix)
        and where.status in (None, record.status)
        and (where.groups is None or record.readable_by(where.groups))
    )
