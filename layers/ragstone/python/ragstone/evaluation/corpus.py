"""The documents that a run is asked about: a bucket and a prefix, and a hash of what they hold."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from hashlib import sha256

from ragstone.ports import ObjectStore
from ragstone.types import INBOX, SIDECAR_SUFFIX, ChangeKind, ObjectChange, ObjectRef


@dataclass(frozen=True, slots=True)
class Survey:
    """What a corpus holds: `state` is a hash over every key and etag, sidecars included, `absent` what it lacks."""

    state: str
    documents: int
    absent: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Corpus:
    """All documents under one prefix of one bucket."""

    bucket: str
    prefix: str = INBOX

    @classmethod
    def at(cls, place: ObjectRef) -> Corpus:
        """A folder; its prefix ends in a slash, so that `a/` is not also `ab/`."""
        return cls(place.bucket, f"{place.key.strip('/')}/" if place.key.strip("/") else "")

    @property
    def uri(self) -> str:
        return f"s3://{self.bucket}/{self.prefix}"

    def names(self, source: str) -> set[str]:
        """How gold items may name a document: by its source, or by its path below the corpus' prefix."""
        return {composed(source), composed(source.removeprefix(self.prefix.removeprefix(INBOX)))}

    def survey(self, store: ObjectStore, expected: Iterable[str] = ()) -> Survey:
        """Walk the listing once, without holding it; `expected` are names of documents that should be there."""
        digest, absent, documents = sha256(), {composed(name) for name in expected}, 0
        for key, etag in store.list(self.bucket, self.prefix):
            digest.update(f"{key}\0{etag}\n".encode())
            if _is_document(key):
                documents += 1
                absent -= self.names(ObjectRef(self.bucket, key).source)
        return Survey(digest.hexdigest(), documents, tuple(sorted(absent)))

    def documents(self, store: ObjectStore, *, after: str = "") -> Iterator[ObjectChange]:
        """Each document's upload in key order, as ingestion takes it.

        The sequencer comes from the etag, so that a repeat is the same change and not a newer one.
        """
        for key, etag in store.list(self.bucket, self.prefix, after=after):
            if _is_document(key):
                sequencer = sha256(etag.encode()).hexdigest()[:18].upper()
                yield ObjectChange(ChangeKind.CREATED, ObjectRef(self.bucket, key), sequencer, etag)


def composed(name: str) -> str:
    """A document's name in composed form: file systems and keys may spell one letter in two ways."""
    return unicodedata.normalize("NFC", name)


def _is_document(key: str) -> bool:
    return not key.endswith(("/", SIDECAR_SUFFIX))
