"""What a caller may do to documents: read those that are theirs, and change them if they are an editor as well."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import repeat

from ragstone.api.dependencies import Groups
from ragstone.errors import InvalidQuery, NotAllowed, Rejected, SourceTaken, UnknownDocument
from ragstone.ports import DocumentRegistry, ObjectStore
from ragstone.sidecar import NOBODY, read_sidecar
from ragstone.types import DocumentFilter, DocumentRecord, DocumentStatus, ObjectRef, may_read

READERS = 16
"""Places that are looked at side by side."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Access:
    """Whoever may not read a document is told that there is none, and may not overwrite it either.

    `editors` are the groups that may change documents at all, everybody if there are none.
    """

    registry: DocumentRegistry
    store: ObjectStore
    editors: tuple[str, ...] = ()

    def only_editors(self, groups: Groups) -> None:
        """Raises NotAllowed for callers in none of the editors' groups."""
        if self.editors and not may_read(self.editors, groups):
            raise NotAllowed(
                "Only editors may upload, delete and re-ingest documents and commit tables. Ask one to do it, or have "
                "one of your groups named under editors in the settings of this deployment."
            )

    def readable(self, document_id: str, groups: Sequence[str]) -> DocumentRecord:
        """Raises UnknownDocument, also for a document that the groups may not read."""
        record = self.registry.get(document_id)
        if record is None or not record.readable_by(groups):
            raise UnknownDocument("No document has this id; GET /v1/documents lists them.")
        return record

    def free(self, places: Sequence[ObjectRef], groups: Sequence[str]) -> dict[ObjectRef, tuple[str, ...]]:
        """The access list that each place has, by place; it stays whoever writes there, unless they say otherwise.

        Raises SourceTaken that names those which are documents the groups may not read.
        """
        with ThreadPoolExecutor(READERS) as threads:
            held = dict(zip(places, threads.map(self._acl_at, places, repeat(groups)), strict=False))
        if taken := [place.source for place, acl in held.items() if not may_read(acl, groups)]:
            raise SourceTaken(f"{', '.join(map(repr, taken))}: a document of this name is there already; take another.")
        return held

    def free_folder(self, folder: str, groups: Sequence[str]) -> set[tuple[str, ...]]:
        """The access lists that the documents below the folder have.

        Raises SourceTaken if any of them is one that the groups may not read.
        """
        held: set[tuple[str, ...]] = set()
        cursor: str | None = None
        while True:
            page = self.registry.page(limit=1_000, cursor=cursor, where=DocumentFilter(prefix=f"{folder}/"))
            if not all(record.readable_by(groups) for record in page.documents):
                raise SourceTaken(f"Documents of others are in the folder {folder!r} already; take another.")
            held |= {record.acl for record in page.documents if record.status is not DocumentStatus.DELETED}
            cursor = page.cursor
            if cursor is None:
                return held

    def _acl_at(self, place: ObjectRef, groups: Sequence[str]) -> tuple[str, ...]:
        """As the sidecar says, which may be ahead of the registry, unless the registry keeps these groups out."""
        record = self.registry.get(place.document_id)
        if record and not record.readable_by(groups):
            return record.acl
        try:
            beside = self.store.read(place.sidecar)
            return read_sidecar(beside.content, place.source).acl if beside else ()
        except Rejected:
            return record.acl if record else NOBODY


def check_acl(acl: Sequence[str], groups: Sequence[str]) -> None:
    """Raises InvalidQuery (`bad_acl`) for a list that keeps out the caller, who could not see or mend what they wrote.

    An empty list lets everybody read.
    """
    if not may_read(acl, groups):
        known = ", ".join(map(repr, groups)) or "no group"
        raise InvalidQuery(
            "bad_acl", f"The acl {', '.join(map(repr, acl))} keeps you out, who are in {known}; add one of your groups."
        )
