"""Whatever is put, deleted, killed, swapped, swapped back and dropped in between: answers never go back in time."""

from __future__ import annotations

from datetime import timedelta

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, consumes, invariant, precondition, rule

from ragstone.errors import TransientError
from ragstone.types import Generations, ObjectChange, Part, Role
from tests.unit.generations.world import Killed, Process, World

SOURCES = ("a.txt", "b.txt", "c.txt")
SOURCE = st.sampled_from(SOURCES)
STEPS = st.one_of(st.just(10_000), st.integers(0, 18))


class Reindexing(RuleBasedStateMachine):
    """Every text and title is the number of the operation that wrote it, so that what is shown tells its age."""

    workers = Bundle("workers")

    def __init__(self) -> None:
        super().__init__()
        self.world = World()
        self.world.steps.generations()
        self.number = 0
        self.deleted: dict[str, list[int]] = {source: [] for source in SOURCES}
        self.seen: dict[str, tuple[int, int]] = dict.fromkeys(SOURCES, (0, 0))
        self.in_hand: list[ObjectChange] = []
        self.checked = ""

    def _next(self) -> int:
        self.number += 1
        return self.number

    @property
    def role(self) -> Role | None:
        return self.world.steps.generations().role

    # --- S3 ---

    @rule(source=SOURCE)
    def put(self, source: str) -> None:
        self.world.put(source, f"operation {self._next()} of the ferry")

    @rule(source=SOURCE)
    def put_sidecar(self, source: str) -> None:
        self.world.put_sidecar(source, f'{{"title": "{self._next()}"}}')

    @rule(source=SOURCE)
    def delete(self, source: str) -> None:
        self.deleted[source].append(self._next())
        self.world.delete(source)

    @rule(minutes=st.integers(1, 20))
    def wait(self, minutes: int) -> None:
        self.world.pass_time(timedelta(minutes=minutes))

    # --- ingestion: a worker takes a message and reads the pointer, and carries it out later ---

    @precondition(lambda self: self.world.queue)
    @rule(target=workers, place=st.integers(0, 20))
    def take(self, place: int) -> tuple[ObjectChange, Generations]:
        change = self.world.queue.pop(place % len(self.world.queue))
        self.in_hand.append(change)
        return change, self.world.steps.generations()

    @rule(worker=consumes(workers), steps=STEPS, fails=st.integers(0, 2))
    def carry_out(self, worker: tuple[ObjectChange, Generations], steps: int, fails: int) -> None:
        change, generations = worker
        if change.part is Part.SIDECAR and self._is_awaited(change.object.source):
            # It reads the object as it is now, ahead of that one's own event, and so would the index be of the others.
            self.in_hand.remove(change)
            self.world.queue.append(change)
            return
        self.world.embedder.failures = [TransientError("the embedder is throttled") for _ in range(fails)]
        try:
            self.world.every(generations, Process(steps)).apply(change)
        except Killed:
            self.world.queue.append(change)
        except TransientError:
            self.world.queue.append(change)
            self.checked = ""  # what one index fails on between check and swap is seen again after its retry only
        self.world.embedder.failures = []
        self.in_hand.remove(change)

    def _is_awaited(self, source: str) -> bool:
        """Whether changes of the document itself are still to be carried out."""
        changes = (*self.world.queue, *self.in_hand)
        return any(change.object.source == source and change.part is Part.CONTENT for change in changes)

    # --- the command ---

    @precondition(lambda self: self.role is None)
    @rule()
    def begin(self) -> None:
        self.world.steps.begin(self.world.next_generation())
        self.world.send_all()

    @precondition(lambda self: self.role is Role.BUILDING)
    @rule()
    def resume(self) -> None:
        self.world.steps.resume()
        self.world.send_all()

    @precondition(lambda self: self.role in (Role.BUILDING, Role.PREVIOUS))
    @rule()
    def check(self) -> None:
        stretch = self.world.check()
        if stretch.waiting is None and not stretch.failed:
            self.checked = self.world.other.name

    @precondition(lambda self: self.role in (Role.BUILDING, Role.PREVIOUS) and self.checked == self.world.other.name)
    @rule()
    def swap(self) -> None:
        self.world.steps.swap(self.world.other.name)
        self.checked = ""

    @precondition(lambda self: self.role is Role.PREVIOUS)
    @rule()
    def drop(self) -> None:
        self.world.pass_time(timedelta(minutes=2))
        self.world.steps.drop()

    # --- what has to hold ---

    @invariant()
    def users_never_see_what_is_older_than_what_they_have_seen(self) -> None:
        for source in SOURCES:
            self.seen[source] = self._age(source)

    def _age(self, source: str) -> tuple[int, int]:
        """The operations that wrote the text and the title, or the deletions that took them away."""
        text, title = self.world.shown(source)
        of_text, of_title = self.seen[source]
        written = int(text.removeprefix("operation").removesuffix("oftheferry")) if text else None
        return self._newer(source, written, of_text), self._newer(source, int(title) if title else None, of_title)

    def _newer(self, source: str, written: int | None, seen: int) -> int:
        """Text or title may be missing only where they were deleted since, or while changes are on their way."""
        if written is not None:
            assert written >= seen, f"{source} shows operation {written} after {seen}"
            return written
        deletions = [number for number in self.deleted[source] if number >= seen]
        assert deletions or seen == 0 or self._is_awaited(source), f"what operation {seen} wrote of {source} is gone"
        return deletions[0] if deletions else seen

    @invariant()
    def aliases_follow_the_pointer(self) -> None:
        generations = self.world.steps.generations()
        assert self.world.aliases.read == generations.live.name
        assert self.world.aliases.written == tuple(each.name for each in generations.written)

    def teardown(self) -> None:
        self.world.queue += self.in_hand
        self.world.work()
        self.world.assert_settled(SOURCES)
        super().teardown()


TestReindexing = Reindexing.TestCase
TestReindexing.settings = settings(max_examples=60, stateful_step_count=40, deadline=None)
