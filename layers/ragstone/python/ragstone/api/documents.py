"""Documents over HTTP: what became of them, what they consist of, and how they come and go."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import islice, takewhile
from mimetypes import guess_type
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query

from ragstone.api.access import Access, check_acl
from ragstone.api.dependencies import Groups, only_json
from ragstone.api.schemas import FileBody, UploadBody, chunk_json, document_json, version_json
from ragstone.errors import InvalidQuery, ObjectGone
from ragstone.metadata import MetadataField, misfits
from ragstone.ports import ChunkReader, DocumentRegistry, Inbox
from ragstone.sidecar import sidecar_json
from ragstone.sources import check_sources
from ragstone.types import INBOX, SIDECAR_SUFFIX, DocumentFilter, DocumentStatus, ObjectRef, chunk_id_of

UPLOAD_SECONDS = 900
UNKNOWN_TYPE = "application/octet-stream"

Cursor = Annotated[str | None, Query()]
PageSize = Annotated[int, Query(ge=1, le=1_000)]
ChunkPageSize = Annotated[int, Query(ge=1, le=200)]


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentRoutes:
    """What is done to a document comes back as an S3 event; metadata of uploads is held against `schema`."""

    registry: DocumentRegistry
    access: Access
    inbox: Inbox
    chunk_reader: ChunkReader
    schema: Mapping[str, MetadataField] = field(default_factory=dict[str, MetadataField])

    @property
    def router(self) -> APIRouter:
        router = APIRouter(prefix="/v1/documents", tags=["documents"])
        editing = Depends(self.access.only_editors)
        router.get("")(self.documents)
        router.post("", dependencies=[Depends(only_json), editing])(self.upload)
        router.get("/{document_id}")(self.document)
        router.delete("/{document_id}", status_code=202, dependencies=[editing])(self.delete)
        router.get("/{document_id}/chunks")(self.chunks)
        router.get("/{document_id}/versions")(self.versions)
        router.post("/{document_id}/reingest", status_code=202, dependencies=[editing])(self.reingest)
        return router

    def documents(
        self,
        groups: Groups,
        limit: PageSize = 100,
        cursor: Cursor = None,
        prefix: str = "",
        status: DocumentStatus | None = None,
    ) -> dict[str, Any]:
        """By source; a page may be short while its cursor goes on."""
        page = self.registry.page(limit=limit, cursor=cursor, where=DocumentFilter(prefix, status, groups))
        return {"documents": [document_json(record) for record in page.documents], "cursor": page.cursor}

    def document(self, document_id: str, groups: Groups) -> dict[str, Any]:
        return document_json(self.access.readable(document_id, groups))

    def chunks(
        self,
        document_id: str,
        groups: Groups,
        limit: ChunkPageSize = 50,
        cursor: Annotated[int, Query(ge=0)] = 0,
    ) -> dict[str, Any]:
        """The current version's, by ordinal; what ingestion is just writing or clearing away is not shown."""
        record = self.access.readable(document_id, groups)
        if record.version is None:
            return {"chunks": [], "cursor": None}
        stored = self.chunk_reader.chunks(document_id, after=chunk_id_of(document_id, record.version, cursor - 1))
        current = takewhile(lambda chunk: chunk.version == record.version, stored)
        shown = list(islice(current, limit + 1))
        following = str(shown[limit].ordinal) if len(shown) > limit else None
        return {"chunks": [chunk_json(chunk) for chunk in shown[:limit]], "cursor": following}

    def versions(
        self, document_id: str, groups: Groups, limit: PageSize = 100, cursor: Cursor = None
    ) -> dict[str, Any]:
        """What the bucket keeps of the document's file, newest first, deletions included."""
        record = self.access.readable(document_id, groups)
        page = self.inbox.versions(record.source, limit=limit, cursor=cursor)
        return {"versions": [version_json(version) for version in page.versions], "cursor": page.cursor}

    def upload(self, body: UploadBody, groups: Groups) -> dict[str, Any]:
        """A URL a file, to which the file itself is sent: it never passes through here.

        A file's title, metadata and acl become its sidecar, in place of the one that is there, before its URL is given.
        """
        sources = [file.source for file in body.files]
        check_sources(sources)
        for file in body.files:
            self._check_beside(file, groups)
        held = self.access.free([self._place(source) for source in sources], groups)
        for file in body.files:
            if file.has_sidecar:
                self._write_sidecar(file, held[self._place(file.source)])
        return {"uploads": [self._upload(file) for file in body.files]}

    def delete(self, document_id: str, groups: Groups) -> dict[str, Any]:
        record = self.access.readable(document_id, groups)
        self.inbox.delete(record.source)
        return document_json(record)

    def reingest(self, document_id: str, groups: Groups) -> dict[str, Any]:
        record = self.access.readable(document_id, groups)
        if not self.inbox.touch(record.source):
            raise ObjectGone(f"{record.source} is no longer in the bucket; upload it again.")
        return document_json(record)

    def _check_beside(self, file: FileBody, groups: Sequence[str]) -> None:
        check_acl(file.acl or (), groups)
        if found := misfits(file.metadata_values, self.schema):
            raise InvalidQuery("bad_metadata", f"{file.source!r}: {'; '.join(found)}.")

    def _write_sidecar(self, file: FileBody, held: Sequence[str]) -> None:
        acl = held if file.acl is None else file.acl
        content = sidecar_json(title=file.title, metadata=file.metadata_values, acl=acl)
        self.inbox.write(file.source + SIDECAR_SUFFIX, content, "application/json")

    def _upload(self, file: FileBody) -> dict[str, Any]:
        content_type = file.content_type or guess_type(file.source)[0] or UNKNOWN_TYPE
        expires_at = datetime.now(UTC) + timedelta(seconds=UPLOAD_SECONDS)
        return {
            "source": file.source,
            "document_id": self._place(file.source).document_id,
            "method": "PUT",
            "url": self.inbox.upload_url(file.source, content_type=content_type, seconds=UPLOAD_SECONDS),
            "headers": {"Content-Type": content_type},
            "expires_at": expires_at.isoformat(timespec="seconds"),
        }

    def _place(self, source: str) -> ObjectRef:
        return ObjectRef(self.inbox.bucket, INBOX + source)
