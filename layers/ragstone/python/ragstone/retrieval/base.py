"""What a strategy is, and the table of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from ragstone.ports import ChatModel, ChunkReader
from ragstone.registry import Registry
from ragstone.retrieval.candidates import Candidates
from ragstone.retrieval.trace import Trace
from ragstone.settings import Settings
from ragstone.types import Passage, Query


class Strategy(Protocol):
    """One way to find passages. The query's filters and groups hold in every search and read that it makes."""

    def find(self, query: Query, trace: Trace) -> list[Passage]:
        """All candidates, best first, whatever `query.top_k` is."""
        ...

    def widen(self, passages: Sequence[Passage], query: Query, trace: Trace) -> list[Passage]:
        """What an answer is given for the best candidates: they themselves, or more of the text around each."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Tools:
    """What strategies work with; `model` makes the chat model that plans and translates, None where there is none."""

    candidates: Candidates
    reader: ChunkReader
    model: Callable[[], ChatModel | None]
    lexical_weight: float


BuildStrategy = Callable[[Settings, Tools], Strategy]

strategies: Registry[BuildStrategy] = Registry("strategy")
"""Strategies by name; each entry reads its own settings and raises SettingsError if it can't work with them."""
