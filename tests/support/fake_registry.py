"""A document registry in memory; it passes the same contract as DynamoDB's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from threading import Lock

from ragstone.aws.document_registry import padded
from ragstone.types import CurrentVersion, DocumentPage, DocumentRecord, DocumentStatus, ObjectRef


@dataclass
class FakeRegistry:
    """`calls` counts the batch reads."""

    records: dict[str, DocumentRecord] = field(default_factory=dict[str, DocumentRecord])
    calls: int = 0
    _lock: Lock = field(default_factory=Lock)

    def begin(self, document: ObjectRef, sequencer: str) -> DocumentRecord | None:
        with self._lock:
            known = self.records.get(document.document_id)
            if known is None:
                known = DocumentRecord(
                    document.document_id, document.bucket, document.key, sequencer, DocumentStatus.PROCESSING
                )
            elif not self._is_newer(sequencer, known):
                return None
            claimed = replace(known, sequencer=sequencer, status=DocumentStatus.PROCESSING)
            self.records[document.document_id] = claimed
            return claimed

    def finish(self, record: DocumentRecord) -> bool:
        with self._lock:
            known = self.records[record.document_id]
            if known.sequencer != record.sequencer:
                return False
            self.records[record.document_id] = record
            return True

    def fail(self, document: ObjectRef, sequencer: str, message: str) -> None:
        with self._lock:
            known = self.records[document.document_id]
            if known.sequencer == sequencer:
                failed = replace(known, status=DocumentStatus.FAILED, reason="temporary", message=message)
                self.records[document.document_id] = failed

    def get(self, document_id: str) -> DocumentRecord | None:
        return self.records.get(document_id)

    def current(self, document_ids: Sequence[str]) -> Mapping[str, CurrentVersion]:
        self.calls += 1
        found = (self.records.get(document_id) for document_id in document_ids)
        return {r.document_id: CurrentVersion(r.version, r.acl) for r in found if r is not None and r.version}

    def page(self, *, limit: int = 100, cursor: str | None = None) -> DocumentPage:
        ordered = sorted(self.records.values(), key=lambda record: record.source)
        rest = [record for record in ordered if cursor is None or record.source > cursor]
        return DocumentPage(tuple(rest[:limit]), rest[limit - 1].source if len(rest) > limit else None)

    def _is_newer(self, sequencer: str, known: DocumentRecord) -> bool:
        if padded(sequencer) == padded(known.sequencer):
            return not known.status.is_final
        return padded(sequencer) > padded(known.sequencer)
