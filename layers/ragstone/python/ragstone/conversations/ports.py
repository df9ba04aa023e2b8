"""What conversations need from the outside; nobody reaches another owner's items."""

from __future__ import annotations

from typing import Protocol

from ragstone.conversations.values import Conversation, ConversationPage, Feedback, KeptTurn, Share, TurnPage


class ConversationStore(Protocol):
    """Conversations by owner; they and all that belongs to them vanish some time after their last change."""

    def put(self, conversation: Conversation) -> None: ...
    def get(self, owner: str, conversation_id: str) -> Conversation | None: ...
    def change(
        self, owner: str, conversation_id: str, *, title: str | None = None, is_pinned: bool | None = None
    ) -> Conversation | None:
        """The conversation with what is not None changed; None if there is none."""
        ...

    def delete(self, owner: str, conversation_id: str) -> bool:
        """Remove it with its turns and shares; False if there is none."""
        ...

    def page(self, owner: str, *, limit: int, cursor: str | None = None) -> ConversationPage:
        """Pinned ones first, then those changed last. Raises InvalidQuery for a cursor it never gave."""
        ...

    def search(self, owner: str, text: str, *, limit: int, cursor: str | None = None) -> ConversationPage:
        """Those with the words of `text` in a row in their title or in a turn."""
        ...


class TurnStore(Protocol):
    """Answers by owner, within conversations and outside of them."""

    def add(self, turn: KeptTurn) -> bool:
        """Keep an answer and count it in its conversation; False if that is no longer there."""
        ...

    def latest(self, owner: str, conversation_id: str, *, limit: int) -> tuple[KeptTurn, ...]:
        """The last turns, in the order in which they were."""
        ...

    def page(self, owner: str, conversation_id: str, *, limit: int, cursor: str | None = None) -> TurnPage:
        """Turns from the first on. Raises InvalidQuery for a cursor it never gave."""
        ...

    def rate(self, owner: str, answer_id: str, feedback: Feedback) -> bool:
        """Keep what its owner thinks of an answer, in place of what they thought before; False if it is not there."""
        ...

    def rated(self, *, limit: int, cursor: str | None = None) -> TurnPage:
        """Everybody's rated answers, those rated first first."""
        ...


class ShareStore(Protocol):
    """Shares by the hash of their token."""

    def put(self, share: Share) -> None: ...
    def get(self, share_id: str) -> Share | None:
        """The share, unless it has expired."""
        ...

    def of(self, owner: str, conversation_id: str) -> tuple[Share, ...]: ...
    def delete(self, share: Share) -> None: ...
