"""The use case of ingestion: one change of one S3 object becomes what answers may quote, or a readable status.

The order makes it safe to stop anywhere and to run twice: claim the change in the registry, write the new
version's chunks, commit by one conditional write, remove what is no longer current. Each version belongs to
one change, so a change that lost against a newer one removes its own chunks and can't touch anybody else's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from hashlib import sha256
from time import perf_counter

from ragstone.chunking import Chunker
from ragstone.errors import Rejected
from ragstone.ingestion.chunks import chunks_of
from ragstone.ports import ChunkIndex, DocumentRegistry, Embedder, ObjectStore
from ragstone.types import (
    ChangeKind,
    Chunk,
    DocumentRecord,
    DocumentStatus,
    EmbeddedChunk,
    ObjectChange,
    ParsedDocument,
    StoredObject,
)

PARSER_GENERATION = 1
"""Raised when parsing changes what documents read like, so that they are indexed anew."""

EMBED_BATCH = 256


@dataclass(frozen=True, slots=True, kw_only=True)
class Ingestion:
    """Keeps one index and its registry in step with the object store.

    `parse` turns bytes and a source name into a ParsedDocument or raises Rejected.
    """

    store: ObjectStore
    registry: DocumentRegistry
    index: ChunkIndex
    embedder: Embedder
    chunker: Chunker
    parse: Callable[..., ParsedDocument]

    @property
    def fingerprint(self) -> str:
        """A hash of all that decides how a document is cut and embedded."""
        parts = f"{PARSER_GENERATION}|{self.chunker.fingerprint}|{self.embedder.spec}"
        return sha256(parts.encode()).hexdigest()[:12]

    def apply(self, change: ObjectChange) -> DocumentRecord | None:
        """Carry out one change and return the outcome; None when a newer change holds or this one is already done.

        Whatever it raises, a retry may fix; the document's status says `failed` until then.
        """
        record = self.registry.begin(change.object, change.sequencer)
        if record is None:
            return None
        try:
            return self._carry_out(change, record)
        except Rejected as rejected:
            return self._withdraw(_rejected(record, rejected))
        except Exception as error:
            self.registry.fail(change.object, change.sequencer, _message(error))
            raise

    def _carry_out(self, change: ObjectChange, record: DocumentRecord) -> DocumentRecord | None:
        if change.kind is ChangeKind.DELETED and not change.permanent:
            return self._withdraw(_deleted(record))
        # Without an etag any current object is meant: removing one stored version may bring an older one back.
        stored = self.store.read(change.object, etag=change.etag or None)
        if stored is not None:
            return self._ingest(stored, record)
        if change.permanent:
            return self._withdraw(_deleted(record))
        return None  # overwritten or deleted meanwhile: that change has an event of its own

    def _ingest(self, stored: StoredObject, record: DocumentRecord) -> DocumentRecord | None:
        started = perf_counter()
        content_hash = _content_hash(stored)
        if record.version and (record.content_hash, record.fingerprint) == (content_hash, self.fingerprint):
            return self._commit(replace(record, status=_indexed(record.warnings), reason=None, message=None))
        document = self.parse(stored.content, source=stored.object.source)
        parsed = perf_counter()
        version = sha256(f"{content_hash}|{self.fingerprint}|{record.sequencer}".encode()).hexdigest()[:16]
        chunks = list(chunks_of(document, stored, self.chunker, version))
        outcome = replace(
            _described(record, document, stored),
            content_hash=content_hash,
            fingerprint=self.fingerprint,
            chunks=len(chunks),
        )
        if not chunks:
            empty = replace(outcome, status=DocumentStatus.EMPTY, message="The file holds no text.")
            return self._withdraw(empty)
        self._write(chunks)
        timings = {"parse": _ms(started, parsed), "index": _ms(parsed, perf_counter())}
        return self._commit(replace(outcome, version=version, timings_ms=timings))

    def _write(self, chunks: list[Chunk]) -> None:
        self.index.ensure()
        for batch in _batches(chunks):
            vectors = self.embedder.embed_documents([chunk.search_text for chunk in batch])
            self.index.add([EmbeddedChunk(chunk, vector) for chunk, vector in zip(batch, vectors, strict=True)])

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
        bare = replace(record, version=None, chunks=0)
        if not self.registry.finish(bare):
            return None
        self.index.remove(bare.document_id)
        return bare


def _described(record: DocumentRecord, document: ParsedDocument, stored: StoredObject) -> DocumentRecord:
    return replace(
        record,
        status=_indexed(document.warnings),
        reason=None,
        message=None,
        title=stored.title or document.title,
        media_type=document.media_type,
        parser=document.parser,
        pages=len(document.pages),
        characters=len(document.text),
        warnings=document.warnings,
        acl=stored.acl,
    )


def _indexed(warnings: tuple[str, ...]) -> DocumentStatus:
    return DocumentStatus.INDEXED_WITH_WARNINGS if warnings else DocumentStatus.INDEXED


def _message(error: Exception) -> str:
    reason = f"{type(error).__name__}: {error}"[:500]
    return f"{reason}. It is tried again by itself; after the last try it waits in the dead-letter queue."


def _deleted(record: DocumentRecord) -> DocumentRecord:
    return replace(record, status=DocumentStatus.DELETED, reason=None, message=None, warnings=())


def _rejected(record: DocumentRecord, rejected: Rejected) -> DocumentRecord:
    return replace(record, status=DocumentStatus.REJECTED, reason=rejected.code, message=str(rejected), warnings=())


def _content_hash(stored: StoredObject) -> str:
    """Over the bytes and all that the sidecar adds, so that a change of either makes a new version."""
    extras = repr((stored.title, sorted(stored.metadata.items()), stored.acl))
    return sha256(stored.content + extras.encode()).hexdigest()


def _batches(chunks: list[Chunk]) -> Iterator[list[Chunk]]:
    for start in range(0, len(chunks), EMBED_BATCH):
        yield chunks[start : start + EMBED_BATCH]


def _ms(start: float, end: float) -> int:
    return round((end - start) * 1000)
