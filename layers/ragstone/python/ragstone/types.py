"""The values that Ragstone's parts hand to each other; nothing here knows a library or a service."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from functools import cached_property
from hashlib import sha256

from ragstone.text import normalised

MetadataValue = str | int | float | bool | tuple[str, ...]
Metadata = Mapping[str, MetadataValue]
Vector = Sequence[float]

INBOX = "inbox/"
SIDECAR_SUFFIX = ".metadata.json"


# --- documents ---------------------------------------------------------------------------------


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


# --- the inbox ---------------------------------------------------------------------------------


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


# --- chunks ------------------------------------------------------------------------------------


class ChunkKind(StrEnum):
    TEXT = "text"
    TABLE = "table"
    PARENT = "parent"
    ROW = "row"


@dataclass(frozen=True)
class Chunk:
    """A stretch of one document version: `text` is exactly `document.text[char_from:char_to]`.

    `page_from` and `page_to` are None for formats without pages. An empty `acl` means that everybody may read it.
    `page_breaks` are the document's characters, within the chunk, at which each page after `page_from` begins.
    `section_start` is the character at which its section begins, None outside of any: two sections may share a path.
    A fragment of a long section has the `parent` chunk's ordinal and its own number in the section, from 0. Back
    matter is references, contents, indexes and the like. `context` is a sentence by a model that places the chunk in
    its document: it is searched, but never shown or quoted.
    """

    document_id: str
    version: str
    ordinal: int
    source: str
    text: str
    char_from: int
    char_to: int
    page_from: int | None = None
    page_to: int | None = None
    page_breaks: tuple[int, ...] = ()
    section_start: int | None = None
    kind: ChunkKind = ChunkKind.TEXT
    parent: int | None = None
    fragment: int | None = None
    is_back_matter: bool = False
    is_breadcrumb_searched: bool = True
    context: str | None = None
    title: str | None = None
    section_path: tuple[str, ...] = ()
    language: str | None = None
    metadata: Metadata = field(default_factory=dict[str, MetadataValue])
    acl: tuple[str, ...] = ()

    @cached_property
    def chunk_id(self) -> str:
        return chunk_id_of(self.document_id, self.version, self.ordinal)

    def pages_of(self, start: int, end: int) -> tuple[int | None, int | None]:
        """The first and the last page of the document's characters `[start, end)`, which the chunk holds."""
        if self.page_from is None or not self.page_breaks:
            return self.page_from, self.page_to
        first, last = (bisect_right(self.page_breaks, position) for position in (start, end - 1))
        return self.page_from + first, self.page_from + last

    @property
    def content_hash(self) -> str:
        return sha256(self.text.encode()).hexdigest()

    @property
    def breadcrumb(self) -> str:
        """Title and section path, outermost first, each once: "Handbook > Fares > Night fares"."""
        return " > ".join(dict.fromkeys(part for part in (self.title, *self.section_path) if part))

    @property
    def shown_text(self) -> str:
        """What a reader of passages sees: the text under its breadcrumb. Only `text` is quoted."""
        return f"{self.breadcrumb}\n{self.text}" if self.breadcrumb else self.text

    @property
    def search_heading(self) -> str:
        """What is searched above the text, each on a line: the breadcrumb unless settings say no, and the context."""
        breadcrumb = self.breadcrumb if self.is_breadcrumb_searched else ""
        return "\n".join(line for line in (breadcrumb, self.context) if line)

    @property
    def search_text(self) -> str:
        """What is embedded and searched: the heading and the text, normalised; only `text` keeps the original words."""
        return normalised(f"{self.search_heading}\n{self.text}" if self.search_heading else self.text)


def chunk_id_of(document_id: str, version: str, ordinal: int) -> str:
    """Ids of one version sort by ordinal, one of -1 before all others; those of a document come together."""
    return f"{document_id}-{version}-{ordinal:06d}"


@dataclass(frozen=True, slots=True)
class EmbeddedChunk:
    """A chunk with its unit-length vector."""

    chunk: Chunk
    vector: Vector


# --- retrieval ---------------------------------------------------------------------------------


class FilterOp(StrEnum):
    EQ = "eq"
    NE = "ne"
    GT = "gt"
    GTE = "gte"
    LT = "lt"
    LTE = "lte"
    IN = "in"
    NOT_IN = "not_in"
    CONTAINS = "contains"
    EXISTS = "exists"


FilterValue = str | int | float | bool | tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Filter:
    """One condition on a chunk: `field` is one of `ragstone.filters.FIELDS` or `metadata.<name>`."""

    field: str
    op: FilterOp
    value: FilterValue


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """One hybrid search: each leg returns at most `depth` hits that pass all filters and that `groups` may read."""

    text: str
    vector: Vector
    depth: int
    filters: tuple[Filter, ...] = ()
    groups: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Hit:
    """A chunk that one leg found; `score` is the leg's own: BM25 (> 0) or cosine similarity (-1 to 1)."""

    chunk: Chunk
    score: float


@dataclass(frozen=True, slots=True)
class Legs:
    """Both legs of one search, best hit first, ties by chunk id."""

    lexical: tuple[Hit, ...]
    dense: tuple[Hit, ...]


@dataclass(frozen=True, slots=True)
class Passage:
    """A chunk offered as evidence; raw scores are None where that leg did not find it, ranks count from 1.

    The fused score only orders passages: one weak hit normalises to 1.0, so no gate may read it. `rerank_score` is the
    reranker's own, None where it was not asked. `fragments` are the ids of the chunks that were found where `chunk`
    stands for them (their section, or a stretch around them), best first. `also_in` are the sources of near-duplicates
    that this passage stands for.
    """

    chunk: Chunk
    fused_score: float
    bm25: float | None = None
    cosine: float | None = None
    lexical_rank: int | None = None
    dense_rank: int | None = None
    rerank_score: float | None = None
    fragments: tuple[str, ...] = ()
    also_in: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RetrievalStep:
    """One search that a strategy made beyond the question itself: what for, with which words, and what came of it.

    `found` counts the passages that no earlier step had found.
    """

    purpose: str
    query: str
    found: int


@dataclass(frozen=True, slots=True)
class Evidence:
    """What retrieval found: `passages` to answer from, best first; `pool` is every candidate that may be quoted.

    `degraded` says in sentences what had to be left out (a reranker that was late, a plan that failed); `collapsed`
    counts near-duplicates that other passages stand for. `translation` is the question as it was searched where that
    was in another language. `usage` is what models were asked on the way.
    """

    passages: tuple[Passage, ...]
    pool: tuple[Passage, ...] = ()
    timings_ms: Mapping[str, float] = field(default_factory=dict[str, float])
    strategy: str = ""
    reranker: str = ""
    steps: tuple[RetrievalStep, ...] = ()
    degraded: tuple[str, ...] = ()
    collapsed: int = 0
    translation: str | None = None
    usage: tuple[TokenUsage, ...] = ()


# --- answers -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Query:
    """A validated question with the caller's groups, which come from the authorizer and never from the body.

    `strategy`, `reranker` and `chat_model` choose among those that the settings allow; None is the settings' own.
    `language` (ISO 639-1) is the answer's; None is the question's own. `history` is what was said before, oldest first.
    The answer becomes `owner`'s under `answer_id`, in their conversation `conversation_id` if there is one. `trace`
    asks for the answer's spans.
    """

    question: str
    filters: tuple[Filter, ...] = ()
    top_k: int = 5
    groups: tuple[str, ...] = ()
    strategy: str | None = None
    reranker: str | None = None
    chat_model: str | None = None
    language: str | None = None
    conversation_id: str | None = None
    history: tuple[Turn, ...] = ()
    owner: str = ""
    answer_id: str = ""
    trace: bool = False


@dataclass(frozen=True, slots=True)
class Turn:
    """A question of a conversation and what was answered."""

    question: str
    answer: str


@dataclass(frozen=True, slots=True)
class Claim:
    """One sentence that an answerer proposes, with the passages (numbers from 1) and the words it rests on."""

    sentence: str
    passages: tuple[int, ...]
    quotes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TokenUsage:
    """Tokens of one model call as the provider reports them, `estimated` from the texts where it doesn't.

    `stands_in_for` is the spec of the model that failed before this one replied in its place, empty if none did.
    """

    model: str
    input_tokens: int = 0
    output_tokens: int = 0
    estimated: bool = False
    stands_in_for: str = ""


@dataclass(frozen=True, slots=True)
class Reranking:
    """A reranker's scores, one a text in the order in which they were given, and what the model's calls took."""

    scores: tuple[float, ...]
    usage: tuple[TokenUsage, ...] = ()


@dataclass(frozen=True, slots=True)
class Citation:
    """Words of a document that a sentence rests on: `quote` is `document.text[start:end]`, found there and checked.

    It stands on `page`, or where it goes over several pages on `page` to `page_to`, which is None else.
    """

    number: int
    document: str
    quote: str
    start: int
    end: int
    chunk_id: str
    page: int | None = None
    page_to: int | None = None


@dataclass(frozen=True, slots=True)
class Sentence:
    """A released sentence with its verified citations."""

    text: str
    citations: tuple[Citation, ...]


class RefusalStage(StrEnum):
    RETRIEVAL = "retrieval"
    SUFFICIENCY = "sufficiency"
    GROUNDING = "grounding"
    POLICY = "policy"


class RefusalReason(StrEnum):
    NO_EVIDENCE = "no_evidence"
    LOW_CONFIDENCE = "low_confidence"
    INSUFFICIENT_EVIDENCE = "insufficient_evidence"
    UNCITED = "uncited"
    UNSUPPORTED = "unsupported"
    BLOCKED = "blocked"


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why there is no answer; `nearest` names the closest documents, without their text."""

    stage: RefusalStage
    reason: RefusalReason
    message: str
    nearest: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Telemetry:
    """What an answer took: milliseconds by stage, tokens by model call, cost in US dollars (None: price unknown).

    `cache` says what the look-up came to; `gates` holds each gate's scores and thresholds by name; `degraded` says in
    sentences what had to be left out.
    """

    stages_ms: Mapping[str, float] = field(default_factory=dict[str, float])
    usage: tuple[TokenUsage, ...] = ()
    cost_usd: float | None = None
    dropped_sentences: int = 0
    cache: str = "off"
    gates: Mapping[str, float] = field(default_factory=dict[str, float])
    degraded: tuple[str, ...] = ()


SpanValue = str | int | float | bool


@dataclass(frozen=True, slots=True)
class Span:
    """One stage of an answer: when it began (milliseconds since the question came) and how long it worked.

    `inputs` and `results` are small values; only those whose name ends in `text` hold words of people or documents.
    """

    stage: str
    started_ms: float
    ms: float
    outcome: str
    inputs: Mapping[str, SpanValue] = field(default_factory=dict[str, SpanValue])
    results: Mapping[str, SpanValue] = field(default_factory=dict[str, SpanValue])


@dataclass(frozen=True, slots=True)
class Answer:
    """The whole result of a query: released sentences, or a refusal without any, and the passages it rests on.

    A `clarification` is a question back to the asker: there is neither an answer nor a refusal then.
    """

    sentences: tuple[Sentence, ...]
    refusal: Refusal | None
    confidence: float
    passages: tuple[Passage, ...] = ()
    telemetry: Telemetry = field(default_factory=Telemetry)
    clarification: str | None = None
    trace: tuple[Span, ...] = ()

    @property
    def text(self) -> str:
        return " ".join(sentence.text for sentence in self.sentences)

    @property
    def citations(self) -> tuple[Citation, ...]:
        return tuple(dict.fromkeys(citation for sentence in self.sentences for citation in sentence.citations))

    @property
    def refused(self) -> bool:
        return self.refusal is not None


@dataclass(frozen=True, slots=True)
class CachedAnswer:
    """A released answer as a cache keeps it, with the versions of all documents that its passages come from.

    `scope` is the key without the question: only entries of one scope may stand for each other.
    """

    key: str
    scope: str
    question: str
    vector: Vector
    answer: Answer
    documents: Mapping[str, str]


# --- generations -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Generation:
    """One index of a deployment with the registry namespace of the same name, and what it was built with.

    `settings` are all those that decide on its chunks and vectors, by their fields' names; `dimensions` is its vectors'
    length. `started_at` is a date and time in ISO 8601 with its offset.
    """

    name: str
    settings: Mapping[str, str | int | float | bool | None]
    dimensions: int
    started_at: str


class Role(StrEnum):
    """What a generation that is not live is there for."""

    BUILDING = "building"
    PREVIOUS = "previous"
    DROPPED = "dropped"


@dataclass(frozen=True, slots=True)
class Generations:
    """The generation that answers questions, and the one beside it, if there is one: half built, replaced or dropped.

    `changed_at` is when that last changed; `revision` counts the changes, from 1.
    """

    live: Generation
    other: Generation | None = None
    role: Role | None = None
    changed_at: str = ""
    revision: int = 1

    @property
    def written(self) -> tuple[Generation, ...]:
        """Those that every change goes to, the live one last: what users have seen is in the other one already."""
        return (self.live,) if self.other is None or self.role is Role.DROPPED else (self.other, self.live)


# --- chat --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Prompt:
    """One call of a chat model: instructions, then one user message."""

    system: str
    user: str
    max_tokens: int = 1024


@dataclass(frozen=True, slots=True)
class TextDelta:
    """A piece of a model's reply as it streams."""

    text: str
