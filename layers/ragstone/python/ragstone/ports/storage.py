"""Objects, the bucket that documents are dropped into, and the queue of its changes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from ragstone.types import InboxObject, ObjectChange, ObjectRef, StoredObject, VersionPage


class ObjectStore(Protocol):
    """Objects by key."""

    def read(self, document: ObjectRef, *, etag: str | None = None) -> StoredObject | None:
        """The object, or None if it is gone or (given an etag) no longer the one that was meant."""
        ...

    def list(self, bucket: str, prefix: str, *, after: str = "") -> Iterator[tuple[str, str]]:
        """(key, etag) of each object under the prefix whose key sorts after `after`, in key order, lazily."""
        ...

    def write(self, target: ObjectRef, content: bytes, content_type: str) -> None: ...


class Inbox(Protocol):
    """The bucket that documents are dropped into, by source; what changes there comes back as an event."""

    @property
    def bucket(self) -> str: ...
    def upload_url(self, source: str, *, content_type: str, seconds: int) -> str:
        """A URL that takes one PUT with this content type, for so long."""
        ...

    def write(self, source: str, content: bytes, content_type: str) -> None: ...
    def touch(self, source: str) -> bool:
        """Write the object over itself, metadata kept, so that it is read again; False if it is gone."""
        ...

    def delete(self, source: str) -> None:
        """Remove the document, then its sidecar; nothing happens to what is not there."""
        ...

    def versions(self, source: str, *, limit: int = 100, cursor: str | None = None) -> VersionPage:
        """What the bucket keeps of one object, deletions included; raises InvalidQuery for a cursor it never gave."""
        ...

    def objects(self, prefix: str = "", *, after: str = "") -> Iterator[InboxObject]:
        """The documents below a prefix whose source comes after `after`, by the bytes of their sources, lazily."""
        ...


class ChangeQueue(Protocol):
    """Where changes wait for ingestion."""

    def send(self, change: ObjectChange) -> None: ...
