"""What the use cases need from the outside: small Protocols that adapters and fakes fulfil alike."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Iterable, Iterator, Mapping, Sequence
from typing import Protocol

from ragstone.types import (
    Answer,
    CachedAnswer,
    Chunk,
    Claim,
    CurrentVersion,
    DocumentFilter,
    DocumentPage,
    DocumentRecord,
    EmbeddedChunk,
    Evidence,
    Filter,
    Generations,
    InboxObject,
    Legs,
    ObjectChange,
    ObjectRef,
    ParsedDocument,
    Prompt,
    Query,
    Reranking,
    SearchRequest,
    Span,
    StoredObject,
    TextDelta,
    TokenUsage,
    Vector,
    VersionPage,
)

EVERYTHING = DocumentFilter()


class Embedder(Protocol):
    """Turns texts into unit-length vectors of `dimensions` floats; raises TransientError when a retry may help."""

    @property
    def spec(self) -> str: ...
    @property
    def dimensions(self) -> int: ...
    @property
    def lexical_weight(self) -> float:
        """How much the lexical leg counts in weighted fusion with this embedder, 0 to 1."""
        ...

    def embed_documents(self, texts: Sequence[str]) -> list[Vector]: ...
    def embed_query(self, text: str) -> Vector: ...


class Tokenizer(Protocol):
    """Cuts text into the tokens of a model."""

    @property
    def spec(self) -> str: ...
    def starts(self, text: str) -> Sequence[int]:
        """Where each token begins, in characters; a character of several tokens stands there as often."""
        ...


class VectorCache(Protocol):
    """Keeps vectors by key for a while, as float32; raises TransientError or PermanentError when it can't."""

    def get(self, keys: Sequence[str]) -> Mapping[str, Vector]:
        """The vectors that are there, by key."""
        ...

    def put(self, vectors: Mapping[str, Vector]) -> None: ...


class ChunkIndex(Protocol):
    """Searches chunks by words and by vectors; a copy that the registry can always overrule."""

    def ensure(self) -> None:
        """Create the index unless it exists; raises IndexMismatch if it was made for another embedder."""
        ...

    def add(self, chunks: Iterable[EmbeddedChunk]) -> None:
        """Write chunks under their ids (a repeat overwrites) as they come; return once searches find them all."""
        ...

    def remove(self, document_id: str, *, version: str | None = None, keep: str | None = None) -> None:
        """Remove a document's chunks: all, only those of `version`, or all but those of `keep`."""
        ...

    def search(self, request: SearchRequest) -> Legs:
        """Run both legs in one round trip, filters and access inside each; an index that is not there finds nothing."""
        ...

    def count(self, document_id: str | None = None) -> int:
        """Chunks of one document, or of the whole index; 0 when the index is not there."""
        ...

    def drop(self) -> None:
        """Delete the index if it exists."""
        ...


class ChunkReader(Protocol):
    """Reads an index's chunks back, without searching."""

    def chunks(self, document_id: str | None = None, *, after: str = "") -> Iterator[Chunk]:
        """The chunks of one document, or of the whole index, by id, a batch at a time in memory.

        With `after` only those whose id comes after it: of one version, ids rise with the ordinals.
        """
        ...

    def document_ids(self, *, after: str = "") -> Iterator[str]:
        """Every document that has chunks, in order, from after the given one, a page at a time in memory."""
        ...

    def fetch(
        self, chunk_ids: Sequence[str], *, filters: Sequence[Filter] = (), groups: Sequence[str] = ()
    ) -> list[Chunk]:
        """Those of the given chunks that are there, pass all filters and that `groups` may read, by id.

        One read; at most 1,000 ids.
        """
        ...


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


class GenerationPointer(Protocol):
    """Says which generations a deployment has: one value, so that index and registry are swapped at once."""

    def read(self) -> Generations | None:
        """As the last write left it; None before the first."""
        ...

    def write(self, generations: Generations) -> bool:
        """Put it in the place of the revision before it. False: somebody else was faster, and nothing is written."""
        ...


class IndexAliases(Protocol):
    """Names under which people and dashboards find the generations' indexes; nothing in Ragstone rests on them."""

    def point(self, generations: Generations) -> None:
        """Let the read alias name the live index and the write alias all that are written, at once."""
        ...


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


class Retriever(Protocol):
    """Finds what an answer may rest on, within the query's filters and the caller's groups."""

    def retrieve(self, query: Query) -> Evidence: ...


class Reranker(Protocol):
    """Scores texts by how well they answer a question, reading both together."""

    @property
    def spec(self) -> str: ...
    def rerank(self, question: str, texts: Sequence[str]) -> Reranking:
        """A score for each text, higher is better, on a scale of its own; raises TransientError or PermanentError."""
        ...


class Parser(Protocol):
    """Reads one file format; raises Rejected with a reason code when it never will."""

    def __call__(self, content: bytes, *, source: str) -> ParsedDocument: ...


class Keep(Protocol):
    """Keeps the parts of a long piece of work, so that a later turn goes on after them."""

    def __call__(self, name: str, make: Callable[[], bytes], *, seconds: float) -> bytes:
        """The part of this name as an earlier turn left it, else what `make` makes, which takes at most `seconds`."""
        ...


class ResumableParser(Protocol):
    """Reads one file, a long one in parts that `keep` keeps; raises what that and a Parser raise."""

    def __call__(self, content: bytes, *, source: str, keep: Keep) -> ParsedDocument: ...


class ChatModel(Protocol):
    """A chat model that streams; its usage comes last. Raises TransientError or PermanentError."""

    @property
    def spec(self) -> str: ...
    def stream(self, prompt: Prompt) -> AsyncGenerator[TextDelta | TokenUsage]: ...


class Answerer(Protocol):
    """Proposes an answer from `evidence.passages`, sentence by sentence; a claim is verified before anybody sees it."""

    @property
    def spec(self) -> str: ...
    @property
    def reads(self) -> bool:
        """Whether it understands what it reads; one that doesn't must be kept from passages that lack the answer."""
        ...

    def claims(
        self, question: str, evidence: Evidence, *, language: str | None = None
    ) -> AsyncGenerator[Claim | TokenUsage]:
        """`language` (ISO 639-1) is that of the answer, the question's own without it."""
        ...


class AnswerCache(Protocol):
    """Keeps released answers for a while; an entry's documents are checked by whoever reads it."""

    def get(self, key: str) -> CachedAnswer | None: ...
    def nearest(self, scope: str, vector: Vector, *, at_least: float) -> CachedAnswer | None:
        """The entry of this scope whose question is nearest by cosine, if it is at least so near."""
        ...

    def put(self, entry: CachedAnswer) -> None: ...
    def remove(self, key: str) -> None: ...


class AnswerObserver(Protocol):
    """Is told of each finished answer: persistence and telemetry. A TransientError degrades the answer only."""

    def finished(self, query: Query, answer: Answer, trace: Sequence[Span]) -> None: ...
