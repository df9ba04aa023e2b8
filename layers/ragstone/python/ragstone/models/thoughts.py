"""Thoughts that a server streams as text: `<think>…</think>` before the reply, as open models write them."""

from __future__ import annotations

from enum import Enum, auto

OPENING, CLOSING = "<think>", "</think>"


class _State(Enum):
    BEGINNING = auto()
    THINKING = auto()
    REPLYING = auto()


class ThoughtFilter:
    """Takes a reply's text piece by piece and gives back what is no thought; thoughts only come before a reply."""

    def __init__(self) -> None:
        self._state = _State.BEGINNING
        self._held = ""

    def text(self, piece: str) -> str:
        """What may be shown now: nothing of a thought, nor of what may yet turn out to open or close one."""
        self._held += piece
        if self._state is _State.BEGINNING:
            self._state = self._opened()
        if self._state is _State.THINKING:
            self._close()
        return self._take() if self._state is _State.REPLYING else ""

    def rest(self) -> str:
        """What was held back when the reply ended, unless it is an unfinished thought."""
        return "" if self._state is _State.THINKING else self._take()

    def _opened(self) -> _State:
        beginning = self._held.lstrip()
        if beginning.startswith(OPENING):
            return _State.THINKING
        return _State.BEGINNING if OPENING.startswith(beginning) else _State.REPLYING

    def _close(self) -> None:
        thought, closed, reply = self._held.partition(CLOSING)
        if closed:
            self._state = _State.REPLYING
        self._held = reply if closed else thought[-len(CLOSING) :]

    def _take(self) -> str:
        taken, self._held = self._held, ""
        return taken
