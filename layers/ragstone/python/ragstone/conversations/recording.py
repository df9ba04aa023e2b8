"""Keeps answers as they are finished, and counts what they took."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from ragstone.conversations.conversations import Conversations
from ragstone.conversations.values import KeptTurn
from ragstone.types import Answer, Query, Span


@dataclass(frozen=True, slots=True, kw_only=True)
class Recording:
    """An AnswerObserver; `settings` are the deployment's own choices, where a query makes none."""

    conversations: Conversations
    settings: Mapping[str, str] = field(default_factory=dict[str, str])

    def finished(self, query: Query, answer: Answer, trace: Sequence[Span]) -> None:
        """A question back is no answer, and what has no id was not asked by a caller."""
        if not query.answer_id or answer.clarification:
            return
        chosen = {"strategy": query.strategy, "reranker": query.reranker, "chat_model": query.chat_model}
        settings = {**self.settings, **{name: value for name, value in chosen.items() if value}}
        self.conversations.record(
            KeptTurn.of(
                answer, answer_id=query.answer_id, owner=query.owner, question=query.question, settings=settings
            )
        )
