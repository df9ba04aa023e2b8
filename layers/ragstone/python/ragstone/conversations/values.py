"""Conversations, their turns, and what is shared of them."""

from __future__ import annotations

import secrets
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import StrEnum

from ragstone.types import Answer, Refusal, Sentence

SINGLE = "single"
"""Stands for the conversation of an answer that belongs to none."""


class Rating(StrEnum):
    UP = "up"
    DOWN = "down"


@dataclass(frozen=True, slots=True)
class Feedback:
    """What its reader thinks of an answer."""

    rating: Rating
    comment: str
    given_at: str


@dataclass(frozen=True, slots=True)
class Conversation:
    """Belongs to its owner alone; times are ISO 8601 in UTC."""

    conversation_id: str
    owner: str
    title: str
    created_at: str
    updated_at: str
    is_pinned: bool = False
    turns: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptTurn:
    """A question and its whole answer; `withheld` sentences rest on what the reader may not or no longer see.

    `settings` are the choices that led to it, the strategy and the answerer among them.
    """

    answer_id: str
    owner: str
    question: str
    sentences: tuple[Sentence, ...]
    refusal: Refusal | None
    confidence: float
    asked_at: str
    settings: Mapping[str, str] = field(default_factory=dict[str, str])
    feedback: Feedback | None = None
    withheld: int = 0

    @classmethod
    def of(cls, answer: Answer, *, answer_id: str, owner: str, question: str, settings: Mapping[str, str]) -> KeptTurn:
        return cls(
            answer_id=answer_id,
            owner=owner,
            question=question,
            sentences=answer.sentences,
            refusal=answer.refusal,
            confidence=answer.confidence,
            asked_at=now(),
            settings=settings,
        )

    @property
    def conversation_id(self) -> str | None:
        conversation = self.answer_id.partition(".")[0]
        return None if conversation == SINGLE else conversation

    @property
    def text(self) -> str:
        return " ".join(sentence.text for sentence in self.sentences)


@dataclass(frozen=True, slots=True)
class Share:
    """Leave to read a conversation, for whoever has the token that `share_id` is the hash of, until `expires_at`."""

    share_id: str
    owner: str
    conversation_id: str
    created_at: str
    expires_at: str


@dataclass(frozen=True, slots=True)
class ConversationPage:
    """One page of a listing; `cursor` fetches the next one, None on the last."""

    conversations: tuple[Conversation, ...]
    cursor: str | None = None


@dataclass(frozen=True, slots=True)
class TurnPage:
    """One page of turns; `cursor` fetches the next one, None on the last."""

    turns: tuple[KeptTurn, ...]
    cursor: str | None = None


def new_id() -> str:
    """Later ids sort after earlier ones, to the microsecond."""
    return f"{time.time_ns() // 1000:014x}{secrets.token_hex(6)}"


def new_answer_id(conversation_id: str | None = None) -> str:
    """Tells where the answer is kept; ids of one conversation sort by time."""
    return f"{conversation_id or SINGLE}.{new_id()}"


def now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")
