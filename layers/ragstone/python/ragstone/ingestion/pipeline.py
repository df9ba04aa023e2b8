"""The use case of ingestion: one change of one S3 object becomes what answers may quote, or a readable status.

The order makes it safe to stop anywhere and to run twice: claim the change in the registry, write the new
version's chunks, commit by one conditional write, remove what is no longer current. Each version belongs to
one change, so a change that lost against a newer one removes its own chunks and can't touch anybody else's.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from time import perf_counter

from ragstone.errors import Rejected
from ragstone.ingestion import outcomes
from ragstone.ingestion.access import acl_at_claim
from ragstone.ingestion.budget import UNLIMITED, Budget, OutOfTime
from ragstone.ingestion.chunks import Chunking
from ragstone.ingestion.vectors import VectorStream
from ragstone.metadata import MetadataField, check
from ragstone.ports import ChunkIndex, DocumentRegistry, Embedder, ObjectStore
from ragstone.sidecar import NOBODY
from ragstone.types import (
    ChangeKind,
    Chunk,
    DocumentRecord,
    ObjectChange,
    ParsedDocument,
    Part,
    StoredObject,
)

PARSER_GENERATION = 2
"""Raised when parsing changes what documents read like, so that they are indexed anew, or how it keeps its parts."""

EMBED_BATCH = 256


@dataclass(frozen=True, slots=True, kw_only=True)
class Ingestion:
    """Keeps one index and its registry in step with the object store.

    `parse` turns bytes and a source name into a ParsedDocument within a budget, or raises Rejected; `ocr` names what
    reads its scans. Metadata is held against `schema`; what does not fit is a warning, or rejects the document. A new
    document whose sidecar can't be read is known to the groups in `hidden` only.
    """

    store: ObjectStore
    registry: DocumentRegistry
    index: ChunkIndex
    embedder: Embedder
    chunking: Chunking
    parse: Callable[..., ParsedDocument]
    ocr: str = "none"
    schema: Mapping[str, MetadataField] = field(default_factory=dict[str, MetadataField])
    reject_violations: bool = False
    hidden: tuple[str, ...] = NOBODY

    @property
    def fingerprint(self) -> str:
        """A hash of all that decides how a document is read, cut and embedded."""
        parts = f"{PARSER_GENERATION}|{self.ocr}|{self.chunking.fingerprint}|{self.embedder.spec}"
        return sha256(parts.encode()).hexdigest()[:12]

    def apply(self, change: ObjectChange, budget: Budget = UNLIMITED) -> DocumentRecord | None:
        """Carry out one change and return the outcome; None when a newer change holds or this one is already done.

        Raises OutOfTime when the budget ends before the document is all there: go on with what it says. Whatever
        else it raises, a retry may fix; the document's status says `failed` until then.
        """
        if self._is_moot(change):
            return None
        acl = acl_at_claim(change, store=self.store, registry=self.registry, hidden=self.hidden)
        record = self.registry.begin(change, acl=acl)
        if record is None:
            return None
        record = replace(record, etag=change.etag or record.etag)  # also of what will be rejected
        try:
            return self._carry_out(change, record, budget)
        except OutOfTime:
            raise
        except Exception as error:
            self.registry.fail(record, outcomes.message(error))
            raise

    def _is_moot(self, change: ObjectChange) -> bool:
        """A sidecar without its document says nothing yet; the document's own event will read it."""
        document = change.object
        listed = self.store.list(document.bucket, document.key)
        return change.part is Part.SIDECAR and next(listed, ("", ""))[0] != document.key

    def _carry_out(self, change: ObjectChange, record: DocumentRecord, budget: Budget) -> DocumentRecord | None:
        if change.kind is ChangeKind.DELETED and not change.permanent:
            return self._withdraw(outcomes.deleted(record))
        # Without an etag any current object is meant: removing one stored version may bring an older one back.
        try:
            stored = self.store.read(change.object, etag=change.etag or None)
            if stored is not None:
                record = replace(record, acl=stored.acl)
                return self._ingest(stored, record, budget)
        except Rejected as rejected:
            return self._withdraw(outcomes.rejected(record, rejected))
        if change.permanent or change.part is Part.SIDECAR:
            return self._withdraw(outcomes.deleted(record))
        return None  # overwritten or deleted meanwhile: that change has an event of its own

    def _ingest(self, stored: StoredObject, record: DocumentRecord, budget: Budget) -> DocumentRecord | None:
        started = perf_counter()
        content_hash = _content_hash(stored)
        if self._is_indexed(record, content_hash):
            return self._commit(replace(record, status=outcomes.indexed(record.warnings), reason=None, message=None))
        document = self.parse(stored.content, source=stored.object.source, budget=budget)
        document, stored = self._described(document, stored)
        parsed = perf_counter()
        change = f"{record.sequencer}|{record.sidecar_sequencer}"
        version = sha256(f"{content_hash}|{self.fingerprint}|{change}".encode()).hexdigest()[:16]
        chunked = self.chunking.chunks_of(document, stored, version)
        outcome = replace(
            outcomes.described(record, document, stored),
            content_hash=content_hash,
            fingerprint=self.fingerprint,
            chunks=len(chunked.chunks),
            dropped_chunks=chunked.dropped,
        )
        if not chunked.chunks:
            return self._withdraw(outcomes.empty(outcome))
        self._write(chunked.chunks, budget)
        timings = {"parse": _ms(started, parsed), "index": _ms(parsed, perf_counter())}
        return self._commit(replace(outcome, version=version, timings_ms=timings))

    def _is_indexed(self, record: DocumentRecord, content_hash: str) -> bool:
        """Whether the current version holds the same; counted too, since two workers may have cleared up at once."""
        same = (record.content_hash, record.fingerprint) == (content_hash, self.fingerprint)
        return same and bool(record.version) and self.index.count(record.document_id) == record.chunks

    def _described(self, document: ParsedDocument, stored: StoredObject) -> tuple[ParsedDocument, StoredObject]:
        """Both with the metadata that holds: the file's own under S3's and the sidecar's, as far as it is declared."""
        own = {name: value for name, value in document.metadata.items() if not self.schema or name in self.schema}
        checked = check({**own, **stored.metadata}, self.schema)
        if checked.violations and self.reject_violations:
            raise Rejected(
                "bad_metadata", f"{'; '.join(checked.violations)}. Correct the metadata beside the document."
            )
        warned = replace(document, warnings=(*document.warnings, *checked.violations))
        return warned, replace(stored, metadata=checked.metadata)

    def _write(self, chunks: Sequence[Chunk], budget: Budget) -> None:
        """Chunks from where an earlier turn stopped; a batch may be written twice, never left out."""
        stream = VectorStream(chunks, self.embedder, budget=budget, size=EMBED_BATCH)
        self.index.add(stream)
        if stream.written < len(chunks):
            raise OutOfTime(stream.written)

    def _commit(self, record: DocumentRecord) -> DocumentRecord | None:
        """Make the record's version the current one, then clear away the others; a loser clears away its own."""
        if self.registry.finish(record):
            self.index.remove(record.document_id, keep=record.version)
            return record
        current = self.registry.get(record.document_id)
        if current is None or current.version != record.version:
            self.index.remove(record.document_id, version=record.version)
        return None

    def _withdraw(self, record: DocumentRecord) -> DocumentRecord | None:
        """Commit an outcome with nothing to quote."""
        bare = replace(record, version=None, chunks=0, dropped_chunks=0)
        if not self.registry.finish(bare):
            return None
        self.index.remove(bare.document_id)
        return bare


def _content_hash(stored: StoredObject) -> str:
    """Over the bytes and all that the sidecar adds, so that a change of either makes a new version."""
    extras = repr((stored.title, sorted(stored.metadata.items()), stored.acl))
    return sha256(stored.content + extras.encode()).hexdigest()


def _ms(start: float, end: float) -> int:
    return round((end - start) * 1000)
