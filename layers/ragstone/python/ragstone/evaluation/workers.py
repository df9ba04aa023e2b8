"""What evaluation needs of the rest of Ragstone; composition hands in functions that build it from settings."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from ragstone.ports import ChatModel, ChunkIndex
from ragstone.settings import Settings
from ragstone.types import Answer, DocumentRecord, ObjectChange, Query


class Ingestion(Protocol):
    """Indexes one document at a time; `fingerprint` is a hash of all that decides how it is cut and embedded."""

    @property
    def fingerprint(self) -> str: ...
    def apply(self, change: ObjectChange) -> DocumentRecord | None: ...


class Answering(Protocol):
    """Answers a question as it would for a user."""

    async def answer(self, query: Query) -> Answer: ...


BuildIngestion = Callable[[Settings], Ingestion]
BuildAnswering = Callable[[Settings], Answering]
BuildIndex = Callable[[Settings], ChunkIndex]
BuildChatModel = Callable[[str], ChatModel]
