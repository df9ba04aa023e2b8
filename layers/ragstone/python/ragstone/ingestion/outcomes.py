"""How a change of a document can end, as the registry records it."""

from __future__ import annotations

from dataclasses import replace

from ragstone.errors import Rejected
from ragstone.types import DocumentRecord, DocumentStatus, ParsedDocument, StoredObject


def described(record: DocumentRecord, document: ParsedDocument, stored: StoredObject) -> DocumentRecord:
    return replace(
        record,
        status=indexed(document.warnings),
        etag=stored.etag,
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


def indexed(warnings: tuple[str, ...]) -> DocumentStatus:
    return DocumentStatus.INDEXED_WITH_WARNINGS if warnings else DocumentStatus.INDEXED


def message(error: Exception) -> str:
    reason = f"{type(error).__name__}: {error}"[:500]
    return f"{reason}. It is tried again by itself; after the last try it waits in the dead-letter queue."


def empty(record: DocumentRecord) -> DocumentRecord:
    """Nothing to quote: no text at all, or none on any page of a scan, of which the warnings tell."""
    scanned = record.pages > 0 and bool(record.warnings)
    message = " ".join(record.warnings) if scanned else "The file holds no text."
    return replace(record, status=DocumentStatus.EMPTY, reason="no_text" if scanned else None, message=message)


def deleted(record: DocumentRecord) -> DocumentRecord:
    return replace(record, status=DocumentStatus.DELETED, reason=None, message=None, warnings=())


def rejected(record: DocumentRecord, rejected: Rejected) -> DocumentRecord:
    return replace(record, status=DocumentStatus.REJECTED, reason=rejected.code, message=str(rejected), warnings=())
