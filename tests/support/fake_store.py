"""An object store in memory."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from hashlib import md5

from ragstone.sidecar import with_sidecar
from ragstone.types import ObjectRef, StoredObject


@dataclass
class FakeStore:
    """Objects by bucket and key with their sidecars; an etag is the hash of an object's bytes, as S3's is."""

    objects: dict[ObjectRef, bytes] = field(default_factory=dict[ObjectRef, bytes])

    def put(self, bucket: str, key: str, content: bytes | str) -> None:
        self.objects[ObjectRef(bucket, key)] = content.encode() if isinstance(content, str) else content

    def read(self, document: ObjectRef, *, etag: str | None = None) -> StoredObject | None:
        content = self.objects.get(document)
        if content is None or etag not in (None, etag_of(content)):
            return None
        return with_sidecar(StoredObject(document, content, etag_of(content)), self.objects.get(document.sidecar))

    def list(self, bucket: str, prefix: str, *, after: str = "") -> Iterator[tuple[str, str]]:
        for place in sorted(self.objects, key=lambda place: place.key):
            if place.bucket == bucket and place.key.startswith(prefix) and place.key > after:
                yield place.key, etag_of(self.objects[place])

    def write(self, target: ObjectRef, content: bytes, content_type: str) -> None:
        self.objects[target] = content


def etag_of(content: bytes) -> str:
    return md5(content, usedforsecurity=False).hexdigest()
