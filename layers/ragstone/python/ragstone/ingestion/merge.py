"""Two sorted streams side by side, without holding either."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Generic, TypeVar

A = TypeVar("A")
B = TypeVar("B")
T = TypeVar("T")


class OutOfOrder(Exception):
    """A stream that has to be sorted is not: comparing it would call things missing that are there."""


def merged(
    left: Iterable[A], right: Iterable[B], *, left_key: Callable[[A], bytes], right_key: Callable[[B], bytes]
) -> Iterator[tuple[A | None, B | None]]:
    """What has the same key in both, and None beside what only one has, by key; each stream has a key at most once.

    Raises OutOfOrder when a key does not rise.
    """
    lefts, rights = _Stream(left, left_key), _Stream(right, right_key)
    while lefts.key is not None or rights.key is not None:
        if rights.key is None or (lefts.key is not None and lefts.key < rights.key):
            yield lefts.take(), None
        elif lefts.key is None or rights.key < lefts.key:
            yield None, rights.take()
        else:
            yield lefts.take(), rights.take()


class _Stream(Generic[T]):
    """A stream that shows the key of its next item; None at its end."""

    def __init__(self, items: Iterable[T], key_of: Callable[[T], bytes]) -> None:
        self._items = iter(items)
        self._key_of = key_of
        self._next: T | None = None
        self.key: bytes | None = None
        self._advance()

    def take(self) -> T | None:
        item = self._next
        self._advance()
        return item

    def _advance(self) -> None:
        before = self.key
        self._next = next(self._items, None)
        self.key = None if self._next is None else self._key_of(self._next)
        if before is not None and self.key is not None and self.key <= before:
            raise OutOfOrder(f"{self.key!r} comes after {before!r}")
