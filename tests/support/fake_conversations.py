"""Conversations, turns and shares in memory; they pass the same contract as DynamoDB's."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

from ragstone.conversations.values import Conversation, ConversationPage, Feedback, KeptTurn, Share, TurnPage, now
from ragstone.errors import InvalidQuery
from ragstone.text import words


@dataclass
class FakeConversations:
    """All three stores over one memory."""

    conversations: dict[str, Conversation] = field(default_factory=dict[str, Conversation])
    turns: dict[str, KeptTurn] = field(default_factory=dict[str, KeptTurn])
    shares: dict[str, Share] = field(default_factory=dict[str, Share])

    @property
    def turn_store(self) -> FakeTurns:
        return FakeTurns(self)

    @property
    def share_store(self) -> FakeShares:
        return FakeShares(self)

    def put(self, conversation: Conversation) -> None:
        self.conversations[conversation.conversation_id] = conversation

    def get(self, owner: str, conversation_id: str) -> Conversation | None:
        found = self.conversations.get(conversation_id)
        return found if found and found.owner == owner else None

    def change(
        self, owner: str, conversation_id: str, *, title: str | None = None, is_pinned: bool | None = None
    ) -> Conversation | None:
        known = self.get(owner, conversation_id)
        if known is None:
            return None
        changed = known if title is None else replace(known, title=title)
        changed = changed if is_pinned is None else replace(changed, is_pinned=is_pinned)
        self.put(changed)
        return changed

    def delete(self, owner: str, conversation_id: str) -> bool:
        if self.get(owner, conversation_id) is None:
            return False
        del self.conversations[conversation_id]
        self.turns = {key: turn for key, turn in self.turns.items() if turn.conversation_id != conversation_id}
        self.shares = {key: each for key, each in self.shares.items() if each.conversation_id != conversation_id}
        return True

    def page(self, owner: str, *, limit: int, cursor: str | None = None) -> ConversationPage:
        return self._page((c for c in self.conversations.values() if c.owner == owner), limit, cursor)

    def search(self, owner: str, text: str, *, limit: int, cursor: str | None = None) -> ConversationPage:
        holding = {turn.conversation_id for turn in self.turns.values() if _holds(f"{turn.question} {turn.text}", text)}
        mine = (c for c in self.conversations.values() if c.owner == owner)
        return self._page((c for c in mine if c.conversation_id in holding or _holds(c.title, text)), limit, cursor)

    def _page(self, found: Iterable[Conversation], limit: int, cursor: str | None) -> ConversationPage:
        ordered = sorted(found, key=lambda c: (c.is_pinned, c.updated_at), reverse=True)
        start = _start(cursor)
        following = str(start + limit) if len(ordered) > start + limit else None
        return ConversationPage(tuple(ordered[start : start + limit]), following)


@dataclass
class FakeTurns:
    memory: FakeConversations

    def add(self, turn: KeptTurn) -> bool:
        if turn.conversation_id is not None:
            known = self.memory.get(turn.owner, turn.conversation_id)
            if known is None:
                return False
            self.memory.put(replace(known, turns=known.turns + 1, updated_at=now()))
        self.memory.turns[turn.answer_id] = turn
        return True

    def latest(self, owner: str, conversation_id: str, *, limit: int) -> tuple[KeptTurn, ...]:
        return self._of(owner, conversation_id)[-limit:]

    def page(self, owner: str, conversation_id: str, *, limit: int, cursor: str | None = None) -> TurnPage:
        return _turn_page(self._of(owner, conversation_id), limit, cursor)

    def rate(self, owner: str, answer_id: str, feedback: Feedback) -> bool:
        known = self.memory.turns.get(answer_id)
        if known is None or known.owner != owner:
            return False
        self.memory.turns[answer_id] = replace(known, feedback=feedback)
        return True

    def rated(self, *, limit: int, cursor: str | None = None) -> TurnPage:
        rated = [(turn.feedback.given_at, turn) for turn in self.memory.turns.values() if turn.feedback]
        return _turn_page(tuple(turn for _, turn in sorted(rated, key=lambda each: each[0])), limit, cursor)

    def _of(self, owner: str, conversation_id: str) -> tuple[KeptTurn, ...]:
        found = (turn for turn in self.memory.turns.values() if turn.owner == owner)
        return tuple(sorted((t for t in found if t.conversation_id == conversation_id), key=lambda t: t.answer_id))


@dataclass
class FakeShares:
    memory: FakeConversations

    def put(self, share: Share) -> None:
        self.memory.shares[share.share_id] = share

    def get(self, share_id: str) -> Share | None:
        share = self.memory.shares.get(share_id)
        return share if share and datetime.fromisoformat(share.expires_at) > datetime.now(UTC) else None

    def of(self, owner: str, conversation_id: str) -> tuple[Share, ...]:
        mine = (share for share in self.memory.shares.values() if share.owner == owner)
        return tuple(share for share in mine if share.conversation_id == conversation_id)

    def delete(self, share: Share) -> None:
        self.memory.shares.pop(share.share_id, None)


def _holds(text: str, wanted: str) -> bool:
    return " ".join(words(wanted)) in " ".join(words(text))


def _turn_page(turns: tuple[KeptTurn, ...], limit: int, cursor: str | None) -> TurnPage:
    start = _start(cursor)
    return TurnPage(turns[start : start + limit], str(start + limit) if len(turns) > start + limit else None)


def _start(cursor: str | None) -> int:
    if cursor is not None and not cursor.isdecimal():
        raise InvalidQuery("bad_cursor", "This cursor is none that this listing gave; leave it out to begin anew.")
    return int(cursor or 0)
