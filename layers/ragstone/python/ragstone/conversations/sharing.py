"""Conversations that others may read: by an unguessable token, for a while, and only what each reader may see."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from typing import NamedTuple

from ragstone.conversations.conversations import Conversations
from ragstone.conversations.ports import ShareStore
from ragstone.conversations.values import Conversation, KeptTurn, Share, now
from ragstone.errors import UnknownConversation

TOKEN_BYTES = 32


class NewShare(NamedTuple):
    """The token is told once: only its hash is kept."""

    token: str
    share: Share


class SharedConversation(NamedTuple):
    conversation: Conversation
    turns: list[KeptTurn]


@dataclass(frozen=True, slots=True, kw_only=True)
class Sharing:
    """Raises UnknownConversation for what is not there, has expired, was revoked, or belongs to another."""

    conversations: Conversations
    shares: ShareStore

    def share(self, owner: str, conversation_id: str, *, days: int) -> NewShare:
        self.conversations.get(owner, conversation_id)
        token = secrets.token_urlsafe(TOKEN_BYTES)
        expires_at = (datetime.now(UTC) + timedelta(days=days)).isoformat(timespec="milliseconds")
        share = Share(_hash(token), owner, conversation_id, now(), expires_at)
        self.shares.put(share)
        return NewShare(token, share)

    def shares_of(self, owner: str, conversation_id: str) -> tuple[Share, ...]:
        self.conversations.get(owner, conversation_id)
        return self.shares.of(owner, conversation_id)

    def revoke(self, owner: str, conversation_id: str, share_id: str) -> None:
        found = [share for share in self.shares_of(owner, conversation_id) if share.share_id == share_id]
        if not found:
            raise UnknownConversation("This conversation has no such share; list its shares.")
        self.shares.delete(found[0])

    def shared(self, token: str, groups: Sequence[str]) -> SharedConversation:
        """The conversation as a reader in these groups may see it."""
        share = self.shares.get(_hash(token))
        if share is None:
            raise UnknownConversation("Nothing is shared under this link, or no longer; ask for a new one.")
        conversation = self.conversations.get(share.owner, share.conversation_id)
        return SharedConversation(
            conversation, self.conversations.all_turns(share.owner, share.conversation_id, groups)
        )


def _hash(token: str) -> str:
    return sha256(token.encode()).hexdigest()
