"""A generation pointer in memory; it passes the same contract as DynamoDB's."""

from __future__ import annotations

from dataclasses import dataclass, field
from threading import Lock

from ragstone.types import Generations


@dataclass
class FakePointer:
    generations: Generations | None = None
    _lock: Lock = field(default_factory=Lock)

    def read(self) -> Generations | None:
        return self.generations

    def write(self, generations: Generations) -> bool:
        with self._lock:
            held = self.generations.revision if self.generations else 0
            if generations.revision != held + 1:
                return False
            self.generations = generations
            return True


@dataclass
class RecordingAliases:
    """`read` and `written` are the names that the aliases stand for."""

    read: str = ""
    written: tuple[str, ...] = ()

    def point(self, generations: Generations) -> None:
        self.read = generations.live.name
        self.written = tuple(generation.name for generation in generations.written)
