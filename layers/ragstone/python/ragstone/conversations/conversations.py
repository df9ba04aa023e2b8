"""The use cases of conversations: each takes their owner, and the groups by which documents are shown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ragstone.conversations.ports import ConversationStore, TurnStore
from ragstone.conversations.values import Conversation, ConversationPage, KeptTurn, TurnPage, new_id, now
from ragstone.conversations.visibility import visible
from ragstone.errors import UnknownConversation
from ragstone.ports import DocumentRegistry
from ragstone.types import Turn

WINDOW_TURNS = 5
WINDOW_CHARACTERS = 8_000
"""About 2,000 tokens."""

LONGEST_TITLE = 80


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversations:
    """Another owner's conversation is as unknown as one that never was: UnknownConversation."""

    store: ConversationStore
    turns: TurnStore
    registry: DocumentRegistry

    def create(self, owner: str, title: str = "") -> Conversation:
        moment = now()
        conversation = Conversation(new_id(), owner, title, created_at=moment, updated_at=moment)
        self.store.put(conversation)
        return conversation

    def get(self, owner: str, conversation_id: str) -> Conversation:
        return _known(self.store.get(owner, conversation_id))

    def page(self, owner: str, *, limit: int, cursor: str | None, containing: str = "") -> ConversationPage:
        if containing.strip():
            return self.store.search(owner, containing, limit=limit, cursor=cursor)
        return self.store.page(owner, limit=limit, cursor=cursor)

    def change(
        self, owner: str, conversation_id: str, *, title: str | None = None, is_pinned: bool | None = None
    ) -> Conversation:
        return _known(self.store.change(owner, conversation_id, title=title, is_pinned=is_pinned))

    def delete(self, owner: str, conversation_id: str) -> None:
        if not self.store.delete(owner, conversation_id):
            _known(None)

    def turns_of(
        self, owner: str, conversation_id: str, groups: Sequence[str], *, limit: int, cursor: str | None = None
    ) -> TurnPage:
        page = self.turns.page(owner, conversation_id, limit=limit, cursor=cursor)
        return TurnPage(visible(page.turns, groups, self.registry), page.cursor)

    def all_turns(self, owner: str, conversation_id: str, groups: Sequence[str]) -> list[KeptTurn]:
        """Of one conversation, which people write by hand: it fits in memory."""
        cursor, found = None, list[KeptTurn]()
        while True:
            page = self.turns_of(owner, conversation_id, groups, limit=100, cursor=cursor)
            found += page.turns
            cursor = page.cursor
            if cursor is None:
                return found

    def window(self, owner: str, conversation_id: str, groups: Sequence[str]) -> tuple[Turn, ...]:
        """The last turns, at most five and as many as fit into a prompt's share, oldest first."""
        self.get(owner, conversation_id)
        latest = self.turns.latest(owner, conversation_id, limit=WINDOW_TURNS)
        shown, room = list[Turn](), WINDOW_CHARACTERS
        for turn in reversed(visible(latest, groups, self.registry)):
            room -= len(turn.question) + len(turn.text)
            if room < 0:
                break
            shown.append(Turn(turn.question, turn.text))
        return tuple(reversed(shown))

    def record(self, turn: KeptTurn) -> None:
        """Keep a completed turn; a conversation without a title is called by its first question.

        One that was deleted while the answer was made stays deleted.
        """
        if not self.turns.add(turn) or turn.conversation_id is None:
            return
        conversation = self.store.get(turn.owner, turn.conversation_id)
        if conversation is not None and not conversation.title:
            self.store.change(turn.owner, turn.conversation_id, title=_title(turn.question))


def _known(conversation: Conversation | None) -> Conversation:
    if conversation is None:
        raise UnknownConversation("No conversation of yours has this id; GET /v1/conversations lists them.")
    return conversation


def _title(question: str) -> str:
    """The question, cut at a word."""
    line = " ".join(question.split())
    return line if len(line) <= LONGEST_TITLE else f"{line[: LONGEST_TITLE - 1].rsplit(' ', 1)[0]}…"
