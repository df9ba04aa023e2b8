"""Parsing in one turn, where nothing has to be kept for another."""

from __future__ import annotations

from collections.abc import Callable


def unkept(name: str, make: Callable[[], bytes], *, seconds: float) -> bytes:
    """A Keep that makes every part itself."""
    return make()
