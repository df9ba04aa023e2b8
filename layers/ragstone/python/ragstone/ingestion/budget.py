"""How long one turn may work on a document, and what says that it has to go on in another turn."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import inf

BATCH_SECONDS = 60.0
"""What embedding and writing a batch of chunks may take."""


class OutOfTime(Exception):
    """The time of one invocation ended before a long document was all there; `written` chunks are."""

    def __init__(self, written: int) -> None:
        super().__init__(f"{written} chunks are written")
        self.written = written


@dataclass(frozen=True, slots=True)
class Budget:
    """How many of the document's chunks an earlier turn has written, and the time that is left of this turn."""

    written: int = 0
    seconds_left: Callable[[], float] = lambda: inf

    def allows(self, seconds: float) -> bool:
        """Whether a further step that may take so long can begin."""
        return self.seconds_left() >= seconds


UNLIMITED = Budget()
