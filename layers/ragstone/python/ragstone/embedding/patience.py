"""Waiting out a provider's quota."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from ragstone.errors import TransientError

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Patience:
    """Repeats a call while it raises TransientError, for about `seconds`: enough to outlast a quota per minute.

    Exponential back-off from `first` to `longest` seconds, with jitter. It stands around the SDK's own few
    retries, which honour `Retry-After`.
    """

    seconds: float = 90
    first: float = 0.5
    longest: float = 15
    sleep: Callable[[float], None] = time.sleep
    clock: Callable[[], float] = time.monotonic

    def __call__(self, call: Callable[[], T]) -> T:
        started = self.clock()
        delay = self.first
        while True:
            try:
                return call()
            except TransientError:
                if self.clock() - started >= self.seconds:
                    raise
            self.sleep(delay * random.uniform(0.5, 1))  # noqa: S311 - jitter needs no secrecy
            delay = min(delay * 2, self.longest)
