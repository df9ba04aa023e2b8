"""DynamoDB behind the stores of conversations, turns and shares."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, replace
from datetime import datetime
from typing import Any

from boto3.dynamodb.conditions import Attr
from pydantic import TypeAdapter

from ragstone.aws.owner_items import Item, Listing, OwnerItems
from ragstone.conversations.values import (
    Conversation,
    ConversationPage,
    Feedback,
    KeptTurn,
    Share,
    TurnPage,
    now,
)
from ragstone.text import words

BY_ACTIVITY, ACTIVITY = "by_activity", "activity"
BY_RATING, RATED, RATED_AT = "by_rating", "rated", "rated_at"

CONVERSATION, TURN, SHARE = "conversation#", "turn#", "share#"
SEARCH = "search"
"""The words of a title or of a turn, as they are looked for."""

TURNS = TypeAdapter(KeptTurn)
FEEDBACK = TypeAdapter(Feedback)


class DynamoConversations:
    """A conversation's item is listed by its activity: pinned ones first, then the time of their last change."""

    def __init__(self, items: OwnerItems) -> None:
        self._items = items

    def put(self, conversation: Conversation) -> None:
        self._items.put(
            conversation.owner, CONVERSATION + conversation.conversation_id, _conversation_item(conversation)
        )

    def get(self, owner: str, conversation_id: str) -> Conversation | None:
        item = self._items.get(owner, CONVERSATION + conversation_id)
        return _conversation(item) if item else None

    def change(
        self, owner: str, conversation_id: str, *, title: str | None = None, is_pinned: bool | None = None
    ) -> Conversation | None:
        known = self.get(owner, conversation_id)
        if known is None:
            return None
        values: dict[str, Any] = {} if title is None else {"title": title, SEARCH: _folded(title)}
        if is_pinned is not None:
            values |= {"is_pinned": is_pinned, ACTIVITY: _activity(known.updated_at, is_pinned=is_pinned)}
        item = self._items.update(owner, CONVERSATION + conversation_id, values)
        return _conversation(item) if item else None

    def delete(self, owner: str, conversation_id: str) -> bool:
        """The conversation goes first: what is left if this breaks off can't be reached, and expires."""
        if self.get(owner, conversation_id) is None:
            return False
        self._items.delete(owner, CONVERSATION + conversation_id)
        shares = DynamoShares(self._items)
        for share in shares.of(owner, conversation_id):
            shares.delete(share)
        cursor, listing = None, _turns_of(owner, conversation_id)
        while True:
            page = self._items.page(listing, limit=100, cursor=cursor)
            self._items.delete(owner, *(item["sk"] for item in page.items))
            cursor = page.cursor
            if cursor is None:
                return True

    def page(self, owner: str, *, limit: int, cursor: str | None = None) -> ConversationPage:
        listing = Listing(value=owner, index=BY_ACTIVITY, sort=ACTIVITY, forward=False)
        page = self._items.page(listing, limit=limit, cursor=cursor)
        return ConversationPage(tuple(map(_conversation, page.items)), page.cursor)

    def search(self, owner: str, text: str, *, limit: int, cursor: str | None = None) -> ConversationPage:
        """Conversations and turns lie in one partition; what they hold is filtered as it is read."""
        page = self._items.page(
            Listing(value=owner), limit=limit, cursor=cursor, where=Attr(SEARCH).contains(_folded(text))
        )
        found = dict.fromkeys(_conversation_id(item) for item in page.items)
        conversations = (self.get(owner, conversation_id) for conversation_id in found)
        return ConversationPage(tuple(c for c in conversations if c), page.cursor)


class DynamoTurns:
    """Turns lie beside their conversation, in the order of their ids, which is that of time."""

    def __init__(self, items: OwnerItems) -> None:
        self._items = items

    def add(self, turn: KeptTurn) -> bool:
        if turn.conversation_id is not None and not self._count(turn, turn.conversation_id):
            return False
        values = {"body": TURNS.dump_json(turn).decode(), SEARCH: _folded(f"{turn.question} {turn.text}")}
        self._items.put(turn.owner, _turn_key(turn.answer_id), values)
        return True

    def _count(self, turn: KeptTurn, conversation_id: str) -> bool:
        known = DynamoConversations(self._items).get(turn.owner, conversation_id)
        moment = now()
        activity = _activity(moment, is_pinned=known is not None and known.is_pinned)
        values = {"updated_at": moment, ACTIVITY: activity}
        return self._items.update(turn.owner, CONVERSATION + conversation_id, values, count="turns") is not None

    def latest(self, owner: str, conversation_id: str, *, limit: int) -> tuple[KeptTurn, ...]:
        listing = Listing(value=owner, prefix=_turn_prefix(conversation_id), forward=False)
        return _turns(self._items.page(listing, limit=limit).items)[::-1]

    def page(self, owner: str, conversation_id: str, *, limit: int, cursor: str | None = None) -> TurnPage:
        page = self._items.page(_turns_of(owner, conversation_id), limit=limit, cursor=cursor)
        return TurnPage(_turns(page.items), page.cursor)

    def rate(self, owner: str, answer_id: str, feedback: Feedback) -> bool:
        values = {"feedback": FEEDBACK.dump_json(feedback).decode(), RATED: "yes", RATED_AT: feedback.given_at}
        return self._items.update(owner, _turn_key(answer_id), values) is not None

    def rated(self, *, limit: int, cursor: str | None = None) -> TurnPage:
        listing = Listing(value="yes", index=BY_RATING, partition=RATED, sort=RATED_AT)
        page = self._items.page(listing, limit=limit, cursor=cursor)
        return TurnPage(_turns(page.items), page.cursor)


class DynamoShares:
    """A share is found by the hash of its token, and listed beside its conversation."""

    def __init__(self, items: OwnerItems) -> None:
        self._items = items

    def put(self, share: Share) -> None:
        expires_at = int(datetime.fromisoformat(share.expires_at).timestamp())
        for pk, sk in _share_keys(share):
            self._items.put(pk, sk, {"share": asdict(share)}, expires_at=expires_at)

    def get(self, share_id: str) -> Share | None:
        item = self._items.get(SHARE + share_id, SHARE)
        return Share(**item["share"]) if item else None

    def of(self, owner: str, conversation_id: str) -> tuple[Share, ...]:
        found = self._items.page(Listing(value=owner, prefix=f"{SHARE}{conversation_id}#"), limit=100).items
        return tuple(Share(**item["share"]) for item in found)

    def delete(self, share: Share) -> None:
        for pk, sk in _share_keys(share):
            self._items.delete(pk, sk)


def _conversation_item(conversation: Conversation) -> Item:
    values = asdict(conversation)
    activity = _activity(conversation.updated_at, is_pinned=conversation.is_pinned)
    return {**values, ACTIVITY: activity, SEARCH: _folded(conversation.title)}


def _conversation(item: Item) -> Conversation:
    return Conversation(
        conversation_id=item["conversation_id"],
        owner=item["owner"],
        title=item["title"],
        created_at=item["created_at"],
        updated_at=item["updated_at"],
        is_pinned=item["is_pinned"],
        turns=int(item["turns"]),
    )


def _activity(updated_at: str, *, is_pinned: bool) -> str:
    return f"{int(is_pinned)}#{updated_at}"


def _turns_of(owner: str, conversation_id: str) -> Listing:
    return Listing(value=owner, prefix=_turn_prefix(conversation_id))


def _turn_prefix(conversation_id: str) -> str:
    return f"{TURN}{conversation_id}."


def _turn_key(answer_id: str) -> str:
    return TURN + answer_id


def _turns(items: Sequence[Item]) -> tuple[KeptTurn, ...]:
    return tuple(map(_turn, items))


def _turn(item: Item) -> KeptTurn:
    turn = TURNS.validate_json(item["body"])
    return replace(turn, feedback=FEEDBACK.validate_json(item["feedback"])) if "feedback" in item else turn


def _conversation_id(item: Item) -> str:
    return item["sk"].partition("#")[2].partition(".")[0]


def _share_keys(share: Share) -> tuple[tuple[str, str], tuple[str, str]]:
    return (SHARE + share.share_id, SHARE), (share.owner, f"{SHARE}{share.conversation_id}#{share.share_id}")


def _folded(text: str) -> str:
    return " ".join(words(text))
