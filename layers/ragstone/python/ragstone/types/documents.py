"""Documents: what lies in the bucket, what parsing reads, and what the registry knows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from hashlib import sha256

from ragstone.types.basics import Metadata, MetadataValue

INBOX = "inbox/"
SIDECAR_SUFFIX = ".metadata.json"


@dataclass(frozen=True, slots=True)
class ObjectRef:
    """One S3 key. Keys under `inbox/` are documents; their source is the rest of the key."""

    bucket: str
    key: str

    @property
    def source(self) -> str:
        return self.key.removeprefix(INBOX)

    @property
    def sidecar(self) -> ObjectRef:
        """The file beside it that carries its metadata."""
        return ObjectRef(self.bucket, self.key + SIDECAR_SUFFIX)

    @property
    def document_id(self) -> str:
        return sha256(f"{self.bucket}/{self.key}".encode()).hexdigest()[:32]


class ChangeKind(StrEnum):
    CREATED = "created"
    DELETED = "deleted"


class Part(StrEnum):
    """What of a document changed: the file itself, or the sidecar beside it."""

    CONTENT = "content"
    SIDECAR = "sidecar"


@dataclass(frozen=True, slots=True)
class ObjectChange:
    """What an S3 event says of a document: `sequencer` orders the changes of one part, `etag` is empty on deletes.

    `permanent` marks the removal of one stored version, which may bring an older one back.
    """

    kind: ChangeKind
    object: ObjectRef
    sequencer: str
    etag: str = ""
    permanent: bool = False
    part: Part = Part.CONTENT


@dataclass(frozen=True, slots=True)
class StoredObject:
    """An object's bytes with what S3 knows of it; `metadata`, `title` and `acl` include its sidecar's."""

    object: ObjectRef
    content: bytes
    etag: str
    content_type: str = ""
    title: str | None = None
    metadata: Metadata = field(default_factory=dict[str, MetadataValue])
    acl: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Section:
    """A titled stretch of a document's text: `[start, end)` in characters, `path` from the outermost title."""

    title: str
    level: int
    path: tuple[str, ...]
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Page:
    """Where page `number` (from 1) lies in a document's text: `[start, end)` in characters."""

    number: int
    start: int
    end: int


class BlockKind(StrEnum):
    HEADING = "heading"
    PARAGRAPH = "paragraph"
    LIST = "list"
    TABLE = "table"
    CODE = "code"
    FORMULA = "formula"
    CAPTION = "caption"


@dataclass(frozen=True, slots=True)
class Block:
    """A stretch `[start, end)` of a document's text that belongs together; a table's rows are its lines."""

    kind: BlockKind
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class ParsedDocument:
    """A document's text with its structure; sections, pages and blocks are spans of `text`, in order, without overlap.

    Formats without pages have none. A table row is one line of text: "Header: value | Header: value". Blocks cover
    all of the text but white space; `metadata` is what the file says of itself (author, dates).
    """

    text: str
    media_type: str
    parser: str
    title: str | None = None
    sections: tuple[Section, ...] = ()
    pages: tuple[Page, ...] = ()
    blocks: tuple[Block, ...] = ()
    language: str | None = None
    metadata: Metadata = field(default_factory=dict[str, MetadataValue])
    warnings: tuple[str, ...] = ()


class DocumentStatus(StrEnum):
    PROCESSING = "processing"
    INDEXED = "indexed"
    INDEXED_WITH_WARNINGS = "indexed_with_warnings"
    EMPTY = "empty"
    REJECTED = "rejected"
    FAILED = "failed"
    DELETED = "deleted"

    @property
    def is_final(self) -> bool:
        return self not in (DocumentStatus.PROCESSING, DocumentStatus.FAILED)


@dataclass(frozen=True, slots=True)
class DocumentRecord:
    """What the registry knows of a document: the version that answers may quote, and how its last change ended.

    `version` is None while there is nothing to quote. `reason` is a code, `message` the sentence for people. The
    sequencers are those of the newest changes that were claimed, empty if none was.
    """

    document_id: str
    bucket: str
    key: str
    sequencer: str
    status: DocumentStatus
    sidecar_sequencer: str = ""
    version: str | None = None
    etag: str = ""
    content_hash: str = ""
    fingerprint: str = ""
    title: str | None = None
    reason: str | None = None
    message: str | None = None
    media_type: str = ""
    parser: str = ""
    pages: int = 0
    chunks: int = 0
    dropped_chunks: int = 0
    characters: int = 0
    warnings: tuple[str, ...] = ()
    acl: tuple[str, ...] = ()
    timings_ms: Mapping[str, int] = field(default_factory=dict[str, int])
    updated_at: str = ""

    @property
    def object(self) -> ObjectRef:
        return ObjectRef(self.bucket, self.key)

    @property
    def source(self) -> str:
        return self.object.source

    def readable_by(self, groups: Sequence[str]) -> bool:
        return may_read(self.acl, groups)


def may_read(acl: Sequence[str], groups: Sequence[str]) -> bool:
    """Whether a caller in these groups may read what has this access list; an empty list lets everybody."""
    return not acl or not set(acl).isdisjoint(groups)


@dataclass(frozen=True, slots=True)
class CurrentVersion:
    """The version of a document that may be quoted now, and the groups that may read it (none: everybody)."""

    version: str
    acl: tuple[str, ...] = ()

    def readable_by(self, groups: Sequence[str]) -> bool:
        return may_read(self.acl, groups)


@dataclass(frozen=True, slots=True)
class DocumentFilter:
    """Which documents a listing shows: those whose source begins so, with this status, readable by these groups.

    None shows every status, or every document whoever may read it.
    """

    prefix: str = ""
    status: DocumentStatus | None = None
    groups: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class DocumentPage:
    """One page of a listing; `cursor` fetches the next one, None on the last."""

    documents: tuple[DocumentRecord, ...]
    cursor: str | None = None


@dataclass(frozen=True, slots=True)
class InboxObject:
    """A document's object as a listing shows it."""

    source: str
    etag: str
    modified_at: datetime


@dataclass(frozen=True, slots=True)
class ObjectVersion:
    """One version that the bucket keeps of an object; a deletion is a version of 0 bytes without an etag."""

    version_id: str
    modified_at: datetime
    size: int
    etag: str
    is_current: bool
    is_deletion: bool = False


@dataclass(frozen=True, slots=True)
class VersionPage:
    """Versions of one object, newest first; `cursor` fetches the older ones, None if there are none."""

    versions: tuple[ObjectVersion, ...]
    cursor: str | None = None
