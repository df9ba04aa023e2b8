"""From a file to its text."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from ragstone.types import ParsedDocument


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
