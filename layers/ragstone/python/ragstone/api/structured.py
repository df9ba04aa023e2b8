"""Tables over HTTP: a look at what they hold, and their rows as documents."""

from __future__ import annotations

import io
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from fastapi import APIRouter, Depends

from ragstone.api.access import check_folder_free, check_free
from ragstone.api.dependencies import Groups, only_json
from ragstone.api.tables import CommitBody, PreviewBody, committed_json, preview_json
from ragstone.errors import InvalidQuery, UnknownDocument
from ragstone.ports import DocumentRegistry, Inbox, ObjectStore
from ragstone.sources import check_sources
from ragstone.structured.commit import RowCommit
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
    store: ObjectStore
    inbox: Inbox

    @property
    def router(self) -> APIRouter:
        router = APIRouter(prefix="/v1/structured", dependencies=[Depends(only_json)])
        router.post("/preview")(self.preview)
        router.post("/commit", status_code=202)(self.commit)
        return router

    def preview(self, body: PreviewBody, groups: Groups) -> dict[str, Any]:
        content, _ = self._table(body, groups)
        return preview_json(preview(read_table(io.BytesIO(content))))

    def commit(self, body: CommitBody, groups: Groups) -> dict[str, Any]:
        """Rows get the access list of the file that they come from, unless the body has one."""
        content, inherited = self._table(body, groups)
        acl = inherited if body.acl is None else tuple(body.acl)
        if body.mode == "file":
            return self._commit_file(body, content, acl, groups)
        check_sources([body.name])
        check_folder_free(self.registry, body.name, groups)
        _check_length(content)
        found = preview(read_table(io.BytesIO(content)))
        made = plan(found.columns, found.proposal, body.choices(acl))
        commit = RowCommit(inbox=self.inbox, folder=body.name, plan=made)
        return committed_json(commit.run(found.rest, prune=body.prune))

    def _commit_file(
        self, body: CommitBody, content: bytes, acl: tuple[str, ...], groups: Sequence[str]
    ) -> dict[str, Any]:
        if body.source is not None:
            raise InvalidQuery("already_a_document", f"{body.source} is one document already; send its rows instead.")
        format_ = preview(read_table(io.BytesIO(content))).format
        name = body.name if body.name.endswith(f".{format_}") else f"{body.name}.{format_}"
        check_sources([name])
        check_free(self.registry, [self._place(name)], groups)
        if acl:
            sidecar = json.dumps({"acl": acl}, ensure_ascii=False).encode()
            self.inbox.write(name + SIDECAR_SUFFIX, sidecar, "application/json")
        self.inbox.write(name, content, CONTENT_TYPES[format_])
        return {"source": name, "document_id": self._place(name).document_id}

    def _table(self, body: PreviewBody, groups: Sequence[str]) -> tuple[bytes, tuple[str, ...]]:
        """The table's bytes, and the access list of the document that it is."""
        if body.source is None:
            return (body.content or "").encode(), ()
        stored = self._stored(body.source)
        if stored is None or not may_read(stored.acl, groups):
            raise UnknownDocument(f"There is no document {body.source!r}; GET /v1/documents lists them.")
        return stored.content, stored.acl

    def _stored(self, source: str) -> StoredObject | None:
        check_sources([source])
        return self.store.read(self._place(source))

    def _place(self, source: str) -> ObjectRef:
        return ObjectRef(self.inbox.bucket, INBOX + source)


def _check_length(content: bytes) -> None:
    if sum(1 for _ in read_table(io.BytesIO(content)).rows) > MOST_ROWS:
        raise InvalidQuery(
            "too_many_rows",
            f"The table has more than {MOST_ROWS} rows, too many for one request; "
            "commit it with the command: ragstone structured commit FILE",
        )
