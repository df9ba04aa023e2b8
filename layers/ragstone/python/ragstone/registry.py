"""Names in settings to things in code: one dict and a decorator, with an error that lists the known names."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Generic, TypeVar

from ragstone.errors import SettingsError

T = TypeVar("T")


class Registry(Generic[T]):
    """A named table of implementations: `@parsers.register("text/html")` adds, `parsers["text/html"]` finds."""

    def __init__(self, kind: str) -> None:
        self._kind = kind
        self._entries: dict[str, T] = {}

    def register(self, *names: str) -> Callable[[T], T]:
        def add(entry: T) -> T:
            self._entries.update(dict.fromkeys(names, entry))
            return entry

        return add

    def __getitem__(self, name: str) -> T:
        try:
            return self._entries[name]
        except KeyError:
            raise SettingsError(f"unknown {self._kind} {name!r}; known are {', '.join(sorted(self))}") from None

    def __contains__(self, name: object) -> bool:
        return name in self._entries

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)
