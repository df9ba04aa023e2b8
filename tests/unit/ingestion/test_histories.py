"""Whatever order events arrive in, however often, interleaved and killed between any two steps: S3 wins."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, cycle
from typing import Any, NamedTuple, cast

from hypothesis import example, given, settings
from hypothesis import strategies as st

from ragstone.chunking import RecursiveChunker
from ragstone.chunking.filters import KEEP_ALL
from ragstone.errors import Rejected
from ragstone.ingestion import Chunking, Ingestion
from ragstone.types import ObjectChange, Part
from tests.unit.ingestion.test_pipeline import FERRY, World, parse

CONTENTS = ["first text of the ferry", "second text of the ferry", "", "encrypted"]
SIDECARS = ['{"title": "Ferries", "acl": ["crew"]}', '{"title": "Boats"}', "malformed"]
STEPS_KILLED_WITHIN = 10


class Killed(BaseException):
    """The process is gone: no handler of the code under test runs."""


class Turns:
    """Lets one of several workers make its next step, in a drawn order."""

    def __init__(self, order: Sequence[int], workers: int) -> None:
        self._order: Iterator[int] = chain(order, cycle(range(workers)))
        self._alive = set(range(workers))
        self._next = next(self._order)
        self._changed = threading.Condition()

    def wait(self, worker: int) -> None:
        with self._changed:
            self._changed.wait_for(lambda: self._next == worker, timeout=10)
            self._advance()

    def leave(self, worker: int) -> None:
        with self._changed:
            self._alive.discard(worker)
            if self._next == worker:
                self._advance()

    def _advance(self) -> None:
        while self._alive:
            self._next = next(self._order)
            if self._next in self._alive:
                break
        self._changed.notify_all()


@dataclass
class Stepped:
    """A port whose every call is a step: it waits for its worker's turn, and may be the last thing that happens."""

    port: object
    before: Callable[[], None]

    def __getattr__(self, name: str) -> Any:
        attribute = getattr(self.port, name)
        if not callable(attribute):
            return attribute

        def call(*arguments: Any, **options: Any) -> Any:
            self.before()
            return attribute(*arguments, **options)

        return call


class Operation(NamedTuple):
    """What somebody does in S3: writes the file or its sidecar, or removes it (None)."""

    content: str | None
    part: Part = Part.CONTENT

    def change(self, world: World) -> ObjectChange:
        if self.part is Part.SIDECAR:
            return world.delete_sidecar() if self.content is None else world.put_sidecar(self.content)
        return world.delete() if self.content is None else world.put(self.content)


class Delivery(NamedTuple):
    """One delivery of an event; whoever carries it out may be killed after some steps."""

    event: int
    killed_after: int | None = None


@dataclass
class Worker:
    """A process that carries out one delivery, until it is done or killed."""

    number: int
    history: History
    turns: Turns
    event: int
    killed_after: int | None
    steps: int = 0
    errors: list[BaseException] = field(default_factory=list[BaseException])

    def run(self, change: ObjectChange) -> None:
        try:
            self.ingestion().apply(change)
        except Killed:
            pass
        except BaseException as error:  # noqa: BLE001 - carried over to the test's own thread
            self.errors.append(error)
        finally:
            self.turns.leave(self.number)

    def ingestion(self) -> Ingestion:
        def stepped(port: object) -> Any:
            return cast("Any", Stepped(port, self._step))

        return Ingestion(
            store=stepped(self.history.world.store),
            registry=stepped(self.history.world.registry),
            index=stepped(self.history.world.index),
            embedder=self.history.world.embedder,
            chunking=Chunking(chunker=RecursiveChunker(10, 0), filters=KEEP_ALL),
            parse=parse,
        )

    def _step(self) -> None:
        self.turns.wait(self.number)
        self.history.reach(self.event)
        self.steps += 1
        if self.killed_after is not None and self.steps > self.killed_after:
            raise Killed


@dataclass
class History:
    """What happened to the object in S3; time moves on when an event of it is delivered, never back."""

    world: World
    operations: Sequence[Operation]
    happened: int = 0

    def reach(self, event: int) -> None:
        for operation in self.operations[self.happened : event + 1]:
            place = FERRY.sidecar if operation.part is Part.SIDECAR else FERRY
            if operation.content is None:
                self.world.store.objects.pop(place, None)
            else:
                self.world.store.put(place.bucket, place.key, operation.content)
        self.happened = max(self.happened, event + 1)


def deliver(
    history: History, changes: Sequence[ObjectChange], deliveries: Sequence[Delivery], order: Sequence[int]
) -> None:
    """Carry out deliveries side by side, a step at a time in the given order."""
    turns = Turns(order, len(deliveries))
    workers = [Worker(n, history, turns, *delivery) for n, delivery in enumerate(deliveries)]
    threads = [threading.Thread(target=worker.run, args=(changes[worker.event],)) for worker in workers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [error for worker in workers for error in worker.errors] == []


def quotable(world: World) -> tuple[str, set[str | None], set[tuple[str, ...]]]:
    """What answers may quote, under which titles, for whom: the index, held against the registry."""
    current = world.registry.current([FERRY.document_id])
    chunks = [each.chunk for each in world.index.store.chunks.values()]
    shown = [c for c in chunks if FERRY.document_id in current and c.version == current[FERRY.document_id].version]
    text = " ".join(chunk.text for chunk in sorted(shown, key=lambda chunk: chunk.ordinal))
    return " ".join(text.split()), {chunk.title for chunk in shown}, {chunk.acl for chunk in shown}


def expected(world: World) -> tuple[str, set[str | None], set[tuple[str, ...]]]:
    try:
        stored = world.store.read(FERRY)
    except Rejected:
        stored = None
    text = stored.content.decode() if stored else ""
    if stored is None or text in ("", "encrypted"):
        return "", set(), set()
    return text, {stored.title or "Ferry rules"}, {stored.acl}


def is_known_to_its_readers_only(world: World) -> bool:
    """Whatever became of the document: whoever its sidecar lets read may know of it, and nobody else."""
    record = world.registry.get(FERRY.document_id)
    try:
        stored = world.store.read(FERRY)
    except Rejected:
        return True
    return stored is None or record is None or record.acl == stored.acl


OPERATION = st.one_of(
    st.builds(Operation, st.sampled_from([*CONTENTS, None])),
    st.builds(Operation, st.sampled_from([*SIDECARS, None]), st.just(Part.SIDECAR)),
)
OPERATIONS = st.lists(OPERATION, min_size=4, max_size=4)
DELIVERIES = st.lists(
    st.builds(Delivery, st.integers(0, 3), st.one_of(st.none(), st.integers(0, STEPS_KILLED_WITHIN))),
    min_size=1,
    max_size=3,
)
ORDER = st.lists(st.integers(0, 2), max_size=30)
SAME, GONE = Operation(CONTENTS[0]), Operation(None)

# A delete that is late meets the redelivery of a sidecar's event that is done.
OF_BOTH_PARTS = [([Delivery(3)], [0]), ([Delivery(1), Delivery(3)], [0, 1])]
# Worker 0 holds the event that worker 1 finishes, then the same text comes again; worker 0 wakes up as a loser.
TWICE_THEN_AGAIN = ([Delivery(2), Delivery(2), Delivery(3)], [0] * 3 + [1] * 7 + [2] * 5 + [0] * 10)
# Worker 0 loses against the same text's newer event, and clears away its chunks after that one's commit.
SAME_TEXT_TWICE = ([Delivery(2), Delivery(3)], [0] * 5 + [1] * 5 + [0] * 2 + [1] * 2 + [0] * 3)


@settings(max_examples=300, deadline=None)
@given(OPERATIONS, st.lists(st.tuples(DELIVERIES, ORDER), max_size=3), st.permutations(range(4)))
@example([SAME, GONE, SAME, Operation(None, Part.SIDECAR)], OF_BOTH_PARTS, [0, 1, 2, 3])
@example([GONE, GONE, SAME, SAME], [TWICE_THEN_AGAIN], [0, 1, 2, 3])
@example([GONE, GONE, SAME, SAME], [SAME_TEXT_TWICE], [0, 1, 2, 3])
def test_every_history_ends_in_the_state_that_s3_has(
    operations: list[Operation], rounds: list[tuple[list[Delivery], list[int]]], last: list[int]
) -> None:
    world = World(size=10)
    changes = [operation.change(world) for operation in operations]
    world.store.objects.clear()
    history = History(world, operations)
    for deliveries, order in rounds:
        deliver(history, changes, deliveries, [turn % len(deliveries) for turn in order])
    # The queue goes on delivering what was not done until it is, in any order.
    for event in last:
        history.reach(event)
        world.ingestion.apply(changes[event])
    for event in last:
        world.ingestion.apply(changes[event])
    assert quotable(world) == expected(world)
    assert is_known_to_its_readers_only(world)
    if not any(delivery.killed_after is not None for deliveries, _ in rounds for delivery in deliveries):
        versions = {each.chunk.version for each in world.index.store.chunks.values()}
        record = world.registry.get(FERRY.document_id)
        assert versions <= ({record.version} if record else set())
