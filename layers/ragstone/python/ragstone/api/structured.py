"""Tables over HTTP: a look at what they hold, and their rows as documents."""

from __future__ import annotations

import io
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from fastapi import APIRouter, Depends

from ragstone.api.access import Access, check_acl
from ragstone.api.dependencies import Groups, only_json
from ragstone.api.tables import CommitBody, PreviewBody, committed_json, preview_json
from ragstone.errors import InvalidQuery, Rejected, UnknownDocument
from ragstone.ports import DocumentRegistry, Inbox, ObjectStore
from ragstone.sidecar import sidecar_json
from ragstone.sources import check_sources
from ragstone.structured.commit import Committed, RowCommit
from ragstone.structured.preview import preview
from ragstone.structured.proposal import plan
from ragstone.structured.reading import read_table
from ragstone.types import INBOX, SIDECAR_SUFFIX, ObjectRef, StoredObject, may_read

MOST_ROWS = 5_000
"""Of one request: each is two objects to write, and whoever asks waits for them."""

CONTENT_TYPES = {"csv": "text/csv", "json": "application/json", "jsonl": "application/x-ndjson"}


@dataclass(frozen=True, slots=True, kw_only=True)
class StructuredRoutes:
    """What the caller may not read can neither be previewed nor overwritten."""

    registry: DocumentRegistry
    access: Access
    store: ObjectStore
    inbox: Inbox

    @property
    def router(self) -> APIRouter:
        router = APIRouter(prefix="/v1/structured", tags=["tables"], dependencies=[Depends(only_json)])
        router.post("/preview")(self.preview)
        router.post("/commit", status_code=202, dependencies=[Depends(self.access.only_editors)])(self.commit)
        return router

    def preview(self, body: PreviewBody, groups: Groups) -> dict[str, Any]:
        content, _ = self._table(body, groups)
        return preview_json(preview(read_table(io.BytesIO(content))))

    def commit(self, body: CommitBody, groups: Groups) -> dict[str, Any]:
        """Rows get the access list of the file that they come from, unless the body has one, and take its place.

        It stays a document beside them, answering twice, only if the body says so or not every row could be written.
        Rows that come from no file get the list of those that they replace.
        """
        content, inherited = self._table(body, groups)
        check_acl(body.acl or (), groups)
        if body.mode == "file":
            return self._commit_file(body, content, groups)
        check_sources([body.name])
        held = self.access.free_folder(body.name, groups)
        acl = _acl_of_rows(body, inherited, held)
        _check_length(content)
        found = preview(read_table(io.BytesIO(content)))
        made = plan(found.columns, found.proposal, body.choices(acl))
        commit = RowCommit(inbox=self.inbox, folder=body.name, plan=made)
        done = commit.run(found.rest, prune=body.prune)
        return {**committed_json(done), "is_original_removed": self._remove_original(body, done)}

    def _remove_original(self, body: CommitBody, done: Committed) -> bool | None:
        """Whether the document that the rows come from is gone; None if they come from none."""
        if body.source is None:
            return None
        is_removed = not (body.keep_original or done.bad_count)
        if is_removed:
            self.inbox.delete(body.source)
        return is_removed

    def _commit_file(self, body: CommitBody, content: bytes, groups: Sequence[str]) -> dict[str, Any]:
        if body.source is not None:
            raise InvalidQuery("already_a_document", f"{body.source} is one document already; send its rows instead.")
        format_ = preview(read_table(io.BytesIO(content))).format
        name = body.name if body.name.endswith(f".{format_}") else f"{body.name}.{format_}"
        check_sources([name])
        self.access.free([self._place(name)], groups)
        if body.acl is not None:
            self.inbox.write(name + SIDECAR_SUFFIX, sidecar_json(acl=body.acl), "application/json")
        self.inbox.write(name, content, CONTENT_TYPES[format_])
        return {"source": name, "document_id": self._place(name).document_id}

    def _table(self, body: PreviewBody, groups: Sequence[str]) -> tuple[bytes, tuple[str, ...]]:
        """The table's bytes, and the access list of the document that it is."""
        if body.source is None:
            return (body.content or "").encode(), ()
        check_sources([body.source])
        stored = self._stored(self._place(body.source), groups)
        if stored is None or not may_read(stored.acl, groups):
            raise UnknownDocument(f"There is no document {body.source!r}; GET /v1/documents lists them.")
        return stored.content, stored.acl

    def _stored(self, place: ObjectRef, groups: Sequence[str]) -> StoredObject | None:
        """What is wrong with a file or its sidecar is told to those who may know of it."""
        record = self.registry.get(place.document_id)
        if record and not record.readable_by(groups):
            return None
        try:
            return self.store.read(place)
        except Rejected:
            if record is None:
                return None
            raise

    def _place(self, source: str) -> ObjectRef:
        return ObjectRef(self.inbox.bucket, INBOX + source)


def _acl_of_rows(body: CommitBody, inherited: tuple[str, ...], held: Collection[tuple[str, ...]]) -> tuple[str, ...]:
    if body.acl is not None:
        return tuple(body.acl)
    if body.source is None and len(held) > 1:
        raise InvalidQuery(
            "acl_needed", f"The documents in the folder {body.name!r} have different access lists; say which, as acl."
        )
    return next(iter(held), ()) if body.source is None else inherited


def _check_length(content: bytes) -> None:
    if sum(1 for _ in read_table(io.BytesIO(content)).rows) > MOST_ROWS:
        raise InvalidQuery(
            "too_many_rows",
            f"The table has more than {MOST_ROWS} rows, too many for one request; "
            "commit it with the command: ragstone structured commit FILE",
        )
