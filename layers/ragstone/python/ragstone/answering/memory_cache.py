"""An answer cache in the memory of one process."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field
from threading import Lock
from time import monotonic

from ragstone.types import CachedAnswer, Vector


@dataclass(slots=True, kw_only=True)
class MemoryAnswerCache:
    """Keeps the answers that were used last, each at most `seconds`; safe to use from several threads."""

    size: int = 1_000
    seconds: float = 3_600
    _entries: OrderedDict[str, tuple[float, CachedAnswer]] = field(
        default_factory=OrderedDict[str, tuple[float, CachedAnswer]]
    )
    _lock: Lock = field(default_factory=Lock)

    def get(self, key: str) -> CachedAnswer | None:
        with self._lock:
            kept_at, entry = self._entries.get(key, (0.0, None))
            if entry is None or monotonic() - kept_at > self.seconds:
                self._entries.pop(key, None)
                return None
            self._entries.move_to_end(key)
            return entry

    def nearest(self, scope: str, vector: Vector, *, at_least: float) -> CachedAnswer | None:
        with self._lock:
            fresh = [entry for at, entry in self._entries.values() if monotonic() - at <= self.seconds]
        near = [(_cosine(entry.vector, vector), entry) for entry in fresh if entry.scope == scope and entry.vector]
        similarity, entry = max(near, key=lambda pair: pair[0], default=(0.0, None))
        return entry if similarity >= at_least else None

    def put(self, entry: CachedAnswer) -> None:
        with self._lock:
            self._entries[entry.key] = (monotonic(), entry)
            self._entries.move_to_end(entry.key)
            while len(self._entries) > self.size:
                self._entries.popitem(last=False)

    def remove(self, key: str) -> None:
        with self._lock:
            self._entries.pop(key, None)


def _cosine(left: Vector, right: Vector) -> float:
    """Of unit-length vectors."""
    return sum(a * b for a, b in zip(left, right, strict=True))
