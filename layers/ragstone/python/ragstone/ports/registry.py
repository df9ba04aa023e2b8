"""Which documents there are, and which version of each is true."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from ragstone.types import CurrentVersion, DocumentFilter, DocumentPage, DocumentRecord, ObjectChange

EVERYTHING = DocumentFilter()


class CurrentVersions(Protocol):
    """The part of a DocumentRegistry that retrieval needs."""

    def current(self, document_ids: Sequence[str]) -> Mapping[str, CurrentVersion]: ...


class DocumentRegistry(Protocol):
    """Says which version of each document is true; every write is conditional on the S3 sequencer."""

    def begin(self, change: ObjectChange, *, acl: Sequence[str] | None = None) -> DocumentRecord | None:
        """Claim a change: the record as it was with status `processing`, or None if it is older or already done.

        `acl` says who may read the document from now on; None leaves that as it was.
        """
        ...

    def finish(self, record: DocumentRecord) -> bool:
        """Write the outcome if no newer change was claimed since; the commit point. False: a newer one holds."""
        ...

    def fail(self, record: DocumentRecord, message: str) -> None:
        """Note that a claimed change failed for now, unless a newer one was claimed; what is quotable stays so."""
        ...

    def get(self, document_id: str) -> DocumentRecord | None: ...
    def current(self, document_ids: Sequence[str]) -> Mapping[str, CurrentVersion]:
        """The quotable versions of the given documents in one batch; documents without one are left out."""
        ...

    def page(self, *, limit: int = 100, cursor: str | None = None, where: DocumentFilter = EVERYTHING) -> DocumentPage:
        """Documents by source, a page at a time; only a rare match leaves a page short before the last."""
        ...
