"""The steps from one generation to the next, each one conditional write of the pointer."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

from ragstone.errors import IndexMismatch, ReindexRefused
from ragstone.ports import ChunkIndex, GenerationPointer, IndexAliases
from ragstone.types import Generation, Generations, Role

DRAINED_AFTER = timedelta(seconds=60)
"""When no query reads the index that was live before: they learn of a swap within seconds and search at once."""

BUSY = {
    Role.BUILDING: "is half built: go on with --resume, or give it up with --drop",
    Role.PREVIOUS: "is kept from the last swap: delete it with --drop",
    Role.DROPPED: "is not deleted yet: finish that with --drop",
}


def _now() -> datetime:
    return datetime.now(UTC)


@dataclass(frozen=True, slots=True, kw_only=True)
class Steps:
    """Begins, swaps and drops generations; raises ReindexRefused where a step does not fit.

    `first` makes the first generations where there are none. Each step may be killed anywhere and taken again.
    """

    pointer: GenerationPointer
    first: Callable[[], Generation]
    index: Callable[[Generation], ChunkIndex]
    aliases: IndexAliases
    now: Callable[[], datetime] = _now

    def generations(self) -> Generations:
        """As they are; the first time, the first one is made."""
        return self.pointer.read() or self._found()

    def begin(self, generation: Generation) -> Generations:
        """Let every change from now on go to the new generation as well."""
        found = self.generations()
        if found.other is not None and found.role is not None:
            raise ReindexRefused(f"{found.other.name} {BUSY[found.role]}")
        return self._write(replace(found, other=generation, role=Role.BUILDING))

    def resume(self) -> Generations:
        """Make sure of what a begun step leaves behind, if it was killed in between."""
        found = self.generations()
        self._settle(found)
        return found

    def swap(self, name: str) -> Generations:
        """Let the generation of this name answer, and keep the one that did; swapping back is the same."""
        found = self.generations()
        if found.live.name == name:
            return self.resume()
        if found.other is None or found.other.name != name or found.role is Role.DROPPED:
            raise ReindexRefused(f"{name} is not there to be swapped in; look at what is with --status")
        self.index(found.other).ensure()
        return self._write(replace(found, live=found.other, other=found.live, role=Role.PREVIOUS))

    def drop(self) -> Generation | None:
        """Delete the index that is not live: the one before the last swap, or a half-built one; None if there is none.

        Raises ReindexRefused while queries may still read it.
        """
        found = self.generations()
        if found.other is None:
            return None
        if found.role is Role.PREVIOUS and (left := self._undrained(found)) > timedelta():
            raise ReindexRefused(f"queries may still read {found.other.name}: try again in {left.seconds + 1} seconds")
        dropped = found.other
        if found.role is not Role.DROPPED:
            found = self._write(replace(found, role=Role.DROPPED))
        self.index(dropped).drop()
        self._write(replace(found, other=None, role=None))
        return dropped

    def _found(self) -> Generations:
        made = Generations(self.first(), changed_at=self._now())
        if self.pointer.write(made):
            self._settle(made)
            return made
        return self.generations()  # somebody else was faster

    def _undrained(self, found: Generations) -> timedelta:
        return datetime.fromisoformat(found.changed_at) + DRAINED_AFTER - self.now()

    def _write(self, wanted: Generations) -> Generations:
        changed = replace(wanted, changed_at=self._now(), revision=wanted.revision + 1)
        if not self.pointer.write(changed):
            raise ReindexRefused("somebody else has changed the generations meanwhile; look with --status")
        self._settle(changed)
        return changed

    def _settle(self, found: Generations) -> None:
        """What the pointer names is there; an index that can't be written any more is what a new one is to replace."""
        for generation in found.written:
            with suppress(IndexMismatch):
                self.index(generation).ensure()
        self.aliases.point(found)

    def _now(self) -> str:
        return self.now().isoformat(timespec="seconds")
