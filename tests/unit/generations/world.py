"""A bucket, a queue and the generations' indexes and registries, all in memory, with a clock that tests move."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Any, cast

from ragstone.chunking import RecursiveChunker
from ragstone.chunking.filters import KEEP_ALL
from ragstone.generations.coverage import Coverage, Stretch
from ragstone.generations.every import EveryGeneration
from ragstone.generations.steps import Steps
from ragstone.ingestion import Chunking, Ingestion
from ragstone.ingestion.reconcile import Position
from ragstone.parsing import parse
from ragstone.types import (
    INBOX,
    SIDECAR_SUFFIX,
    ChangeKind,
    DocumentRecord,
    Generation,
    Generations,
    ObjectChange,
    ObjectRef,
    Part,
)
from tests.support.fake_embedder import FakeEmbedder
from tests.support.fake_inbox import START, FakeInbox
from tests.support.fake_index import FakeIndex, FakeStore
from tests.support.fake_pointer import FakePointer, RecordingAliases
from tests.support.fake_registry import FakeRegistry

BUCKET = "bucket"
PATIENCE = timedelta(seconds=90)


class Killed(BaseException):
    """The process is gone: no handler of the code under test runs."""


@dataclass
class Stepped:
    """A port whose calls a process makes until it is killed; `steps` are what is left to it."""

    port: object
    process: Process

    def __getattr__(self, name: str) -> Any:
        attribute = getattr(self.port, name)
        return (
            (lambda *args, **options: self.process.step(attribute, *args, **options))
            if callable(attribute)
            else attribute
        )


@dataclass
class Process:
    """Whoever carries out a message; `steps` are the calls that it makes before it is killed."""

    steps: float = float("inf")

    def step(self, call: Any, *arguments: Any, **options: Any) -> Any:
        self.steps -= 1
        if self.steps < 0:
            raise Killed
        return call(*arguments, **options)


@dataclass
class DatedRegistry(FakeRegistry):
    """Says of a failure when it happened, as DynamoDB's does."""

    world: World | None = None

    def fail(self, record: DocumentRecord, message: str) -> None:
        super().fail(record, message)
        assert self.world
        known = self.records[record.document_id]
        self.records[record.document_id] = replace(known, updated_at=self.world.now().isoformat())


@dataclass
class World:
    """`queue` holds what ingestion has not carried out yet; a generation's name tells its chunks' size."""

    inbox: FakeInbox = field(default_factory=lambda: FakeInbox(BUCKET))
    queue: list[ObjectChange] = field(default_factory=list[ObjectChange])
    pointer: FakePointer = field(default_factory=FakePointer)
    aliases: RecordingAliases = field(default_factory=RecordingAliases)
    registries: dict[str, DatedRegistry] = field(default_factory=dict[str, DatedRegistry])
    stores: dict[str, FakeStore] = field(default_factory=dict[str, FakeStore])
    embedder: FakeEmbedder = field(default_factory=FakeEmbedder)
    begun: int = 0

    def __post_init__(self) -> None:
        self.steps = Steps(
            pointer=self.pointer, first=self.next_generation, index=self.index, aliases=self.aliases, now=self.now
        )

    # --- time and S3 ---

    def now(self) -> Any:
        return START + timedelta(seconds=self.inbox.changes)

    def pass_time(self, span: timedelta) -> None:
        self.inbox.changes += round(span.total_seconds())

    def put(self, source: str, text: str) -> None:
        self.inbox.write(source, text.encode(), "text/plain")
        self._tell(ChangeKind.CREATED, source, self.inbox.history[source][-1].etag)

    def put_sidecar(self, source: str, text: str) -> None:
        self.inbox.write(source + SIDECAR_SUFFIX, text.encode(), "application/json")
        self._tell(ChangeKind.CREATED, source, "", part=Part.SIDECAR)

    def delete(self, source: str) -> None:
        """The document and what stands beside it."""
        self.inbox.delete(source)
        self._tell(ChangeKind.DELETED, source, "")

    def _tell(self, kind: ChangeKind, source: str, etag: str, *, part: Part = Part.CONTENT) -> None:
        sequencer = f"{0x0055AED6DCD90281E5 + self.inbox.changes * 4_096:018X}"
        self.queue.append(ObjectChange(kind, ObjectRef(BUCKET, INBOX + source), sequencer, etag, part=part))

    # --- generations ---

    def next_generation(self) -> Generation:
        self.begun += 1
        settings = {"chunk_size": 20 + self.begun}
        return Generation(f"chunks-{self.begun:02}", settings, self.embedder.dimensions, self.now().isoformat())

    def index(self, generation: Generation) -> FakeIndex:
        store = self.stores.setdefault(generation.name, FakeStore())
        return FakeIndex(store=store, embedder_spec=self.embedder.spec, dimensions=self.embedder.dimensions)

    def registry(self, generation: Generation) -> DatedRegistry:
        return self.registries.setdefault(generation.name, DatedRegistry(world=self))

    @property
    def live(self) -> Generation:
        return self.steps.generations().live

    @property
    def other(self) -> Generation:
        found = self.steps.generations().other
        assert found is not None
        return found

    def coverage(self) -> Coverage:
        return Coverage(
            inbox=self.inbox,
            registry=self.registry(self.other),
            live=self.registry(self.live),
            changes=self,
            fingerprint=self.ingestion(self.other, Process()).fingerprint,
            begun_at=START.fromisoformat(self.other.started_at),
            patience=PATIENCE,
            now=self.now,
        )

    def send(self, change: ObjectChange) -> None:
        self.queue.append(change)

    def send_all(self) -> Stretch:
        return self.coverage().send(Position())

    def check(self) -> Stretch:
        return self.coverage().check(Position())

    # --- ingestion ---

    def ingestion(self, generation: Generation, process: Process) -> Ingestion:
        def stepped(port: object) -> Any:
            return cast("Any", Stepped(port, process))

        return Ingestion(
            store=stepped(self.inbox.store),
            registry=stepped(self.registry(generation)),
            index=stepped(self.index(generation)),
            embedder=self.embedder,
            chunking=Chunking(
                chunker=RecursiveChunker(cast("int", generation.settings["chunk_size"]), 0), filters=KEEP_ALL
            ),
            parse=lambda content, *, source, **_: parse(content, source=source),
        )

    def every(self, generations: Generations | None = None, process: Process | None = None) -> EveryGeneration:
        """Of a process that has read the pointer already, if `generations` are given."""
        return EveryGeneration(
            generations=(lambda: generations) if generations else self.steps.generations,
            ingestion=lambda generation: self.ingestion(generation, process or Process()),
        )

    def work(self) -> None:
        """Carry out the queue, what fails once more, until it is empty."""
        while self.queue:
            change = self.queue[0]
            self.every().apply(change)
            self.queue.pop(0)

    # --- what users see ---

    def shown(self, source: str, generation: Generation | None = None) -> tuple[str, str | None]:
        """The text and the title of a document that answers may quote: the index held against the registry."""
        chosen = generation or self.live
        document_id = ObjectRef(BUCKET, INBOX + source).document_id
        current = self.registry(chosen).current([document_id]).get(document_id)
        found = [each.chunk for each in self.stores[chosen.name].chunks.values()]
        mine = [chunk for chunk in found if chunk.document_id == document_id and current]
        shown = sorted((c for c in mine if current and c.version == current.version), key=lambda c: c.ordinal)
        return "".join(chunk.text for chunk in shown).replace(" ", ""), shown[0].title if shown else None

    def expected(self, source: str) -> tuple[str, str | None]:
        """The same by the bucket."""
        stored = self.inbox.store.read(ObjectRef(BUCKET, INBOX + source))
        return (stored.content.decode().replace(" ", ""), stored.title) if stored else ("", None)

    def assert_settled(self, sources: Sequence[str]) -> None:
        for generation in self.steps.generations().written:
            assert {s: self.shown(s, generation) for s in sources} == {s: self.expected(s) for s in sources}
