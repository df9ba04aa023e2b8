"""What all stores of conversations keep to: the fakes in memory and DynamoDB's, on MiniStack."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import pytest

from ragstone.aws.conversations import DynamoConversations, DynamoShares, DynamoTurns
from ragstone.aws.owner_items import OwnerItems
from ragstone.conversations.ports import ConversationStore, ShareStore, TurnStore
from ragstone.conversations.values import Conversation, Feedback, KeptTurn, Rating, Share, new_answer_id, new_id, now
from ragstone.errors import InvalidQuery
from ragstone.types import Citation, Refusal, RefusalReason, RefusalStage, Sentence
from tests.support.fake_conversations import FakeConversations
from tests.support.fixtures_ministack import Account
from tests.support.tables import CONVERSATIONS_TABLE, create_conversations_table

OWNER, OTHER = "cognito:a", "cognito:b"


@dataclass
class Stores:
    conversations: ConversationStore
    turns: TurnStore
    shares: ShareStore

    def begun(self, title: str = "Ferries", owner: str = OWNER) -> Conversation:
        conversation = Conversation(new_id(), owner, title, now(), now())
        self.conversations.put(conversation)
        return conversation

    def asked(self, conversation: Conversation | None, question: str = "When?") -> KeptTurn:
        turn = turn_of(conversation.conversation_id if conversation else None, question)
        assert self.turns.add(turn)
        return turn


@pytest.fixture(params=["fake", "dynamodb"])
def stores(request: pytest.FixtureRequest) -> Stores:
    if request.param == "fake":
        memory = FakeConversations()
        return Stores(memory, memory.turn_store, memory.share_store)
    account: Account = request.getfixturevalue("account")
    create_conversations_table(account)
    items = OwnerItems(account.resource("dynamodb"), table=CONVERSATIONS_TABLE, ttl_days=30)
    return Stores(DynamoConversations(items), DynamoTurns(items), DynamoShares(items))


def turn_of(conversation_id: str | None, question: str = "When?", owner: str = OWNER) -> KeptTurn:
    citation = Citation(1, "a/b.pdf", "on Tuesdays", 3, 14, "doc-version-000001", page=2)
    return KeptTurn(
        answer_id=new_answer_id(conversation_id),
        owner=owner,
        question=question,
        sentences=(Sentence("It runs on Tuesdays.", (citation,)),),
        refusal=None,
        confidence=0.75,
        asked_at=now(),
        settings={"strategy": "hybrid"},
    )


def collected(page: Callable[[str | None], tuple[list[str], str | None]]) -> list[str]:
    found, cursor = page(None)
    while cursor:
        more, cursor = page(cursor)
        found += more
    return found


def test_a_conversation_belongs_to_its_owner_alone(stores: Stores) -> None:
    mine = stores.begun()
    assert stores.conversations.get(OWNER, mine.conversation_id) == mine
    assert stores.conversations.get(OTHER, mine.conversation_id) is None
    assert stores.conversations.change(OTHER, mine.conversation_id, title="Mine") is None
    assert not stores.conversations.delete(OTHER, mine.conversation_id)
    assert stores.conversations.page(OTHER, limit=10).conversations == ()
    assert stores.conversations.search(OTHER, "ferries", limit=10).conversations == ()


def test_title_and_pin_change_and_nothing_else_does(stores: Stores) -> None:
    mine = stores.begun()
    changed = stores.conversations.change(OWNER, mine.conversation_id, title="Night ferries")
    assert changed is not None
    assert (changed.title, changed.is_pinned, changed.updated_at) == ("Night ferries", False, mine.updated_at)
    assert stores.conversations.change(OWNER, mine.conversation_id, is_pinned=True) is not None
    kept = stores.conversations.get(OWNER, mine.conversation_id)
    assert kept is not None
    assert (kept.title, kept.is_pinned) == ("Night ferries", True)


def test_pinned_conversations_are_listed_first_then_the_last_changed(stores: Stores) -> None:
    first, second, third = (stores.begun(title) for title in ("1", "2", "3"))
    stores.asked(second)
    stores.conversations.change(OWNER, first.conversation_id, is_pinned=True)
    assert stores.conversations.get(OWNER, third.conversation_id) is not None

    def page(cursor: str | None) -> tuple[list[str], str | None]:
        found = stores.conversations.page(OWNER, limit=1, cursor=cursor)
        return [c.title for c in found.conversations], found.cursor

    assert collected(page) == ["1", "2", "3"]


def test_conversations_are_found_by_title_and_by_what_was_said(stores: Stores) -> None:
    by_title, by_question, by_answer = stores.begun("Fähre und Tram"), stores.begun("2"), stores.begun("3")
    stores.asked(by_question, "What does the FÄHRE cost?")
    stores.asked(by_answer, "When?")
    found = stores.conversations.search(OWNER, "fähre", limit=10).conversations
    assert {c.conversation_id for c in found} == {by_title.conversation_id, by_question.conversation_id}
    said = stores.conversations.search(OWNER, "runs on tuesdays", limit=10).conversations
    assert by_answer.conversation_id in {c.conversation_id for c in said}
    assert stores.conversations.search(OWNER, "tuesdays runs", limit=10).conversations == ()


def test_turns_are_counted_and_read_in_their_order(stores: Stores) -> None:
    mine, other = stores.begun(), stores.begun()
    asked = [stores.asked(mine, f"Question {n}?") for n in range(5)]
    stores.asked(other)
    assert stores.turns.latest(OWNER, mine.conversation_id, limit=2) == tuple(asked[-2:])

    def page(cursor: str | None) -> tuple[list[str], str | None]:
        found = stores.turns.page(OWNER, mine.conversation_id, limit=2, cursor=cursor)
        return [turn.question for turn in found.turns], found.cursor

    assert collected(page) == [turn.question for turn in asked]
    counted = stores.conversations.get(OWNER, mine.conversation_id)
    assert counted is not None
    assert counted.turns == 5


def test_a_refused_turn_keeps_its_refusal(stores: Stores) -> None:
    mine = stores.begun()
    refusal = Refusal(RefusalStage.RETRIEVAL, RefusalReason.NO_EVIDENCE, "Nothing.", ("a.pdf",))
    turn = KeptTurn(
        answer_id=new_answer_id(mine.conversation_id),
        owner=OWNER,
        question="Why?",
        sentences=(),
        refusal=refusal,
        confidence=0.0,
        asked_at=now(),
    )
    assert stores.turns.add(turn)
    assert stores.turns.latest(OWNER, mine.conversation_id, limit=5) == (turn,)


def test_a_turn_of_a_deleted_conversation_is_not_kept(stores: Stores) -> None:
    mine = stores.begun()
    stores.asked(mine)
    share = Share(new_id(), OWNER, mine.conversation_id, now(), later(1))
    stores.shares.put(share)
    assert stores.conversations.delete(OWNER, mine.conversation_id)
    assert not stores.turns.add(turn_of(mine.conversation_id))
    assert stores.turns.latest(OWNER, mine.conversation_id, limit=5) == ()
    assert stores.shares.get(share.share_id) is None
    assert not stores.conversations.delete(OWNER, mine.conversation_id)


def test_a_rating_replaces_the_one_before_and_is_its_owner_s(stores: Stores) -> None:
    turn = stores.asked(None)
    assert not stores.turns.rate(OTHER, turn.answer_id, Feedback(Rating.UP, "", now()))
    assert stores.turns.rate(OWNER, turn.answer_id, Feedback(Rating.UP, "", now()))
    last = Feedback(Rating.DOWN, "Wrong day.", now())
    assert stores.turns.rate(OWNER, turn.answer_id, last)
    assert [rated.feedback for rated in stores.turns.rated(limit=10).turns] == [last]


def test_only_rated_answers_are_listed_as_such_in_the_order_of_their_ratings(stores: Stores) -> None:
    turns = [stores.asked(None, f"Question {n}?") for n in range(4)]
    for at, n in enumerate((2, 0, 3)):
        stores.turns.rate(OWNER, turns[n].answer_id, Feedback(Rating.UP, "", f"2026-01-01T00:00:0{at}.000+00:00"))

    def page(cursor: str | None) -> tuple[list[str], str | None]:
        found = stores.turns.rated(limit=2, cursor=cursor)
        return [turn.question for turn in found.turns], found.cursor

    assert collected(page) == ["Question 2?", "Question 0?", "Question 3?"]


def later(hours: int) -> str:
    return (datetime.now(UTC) + timedelta(hours=hours)).isoformat()


def test_a_share_is_found_until_it_expires_or_is_removed(stores: Stores) -> None:
    mine = stores.begun()
    share = Share("a" * 64, OWNER, mine.conversation_id, now(), later(1))
    expired = Share("b" * 64, OWNER, mine.conversation_id, now(), later(-1))
    stores.shares.put(share)
    stores.shares.put(expired)
    assert stores.shares.get(share.share_id) == share
    assert stores.shares.get(expired.share_id) is None
    assert share in stores.shares.of(OWNER, mine.conversation_id)
    assert stores.shares.of(OTHER, mine.conversation_id) == ()
    stores.shares.delete(share)
    assert stores.shares.get(share.share_id) is None


@pytest.mark.parametrize("cursor", ["x", "eyJwayI6ICJjb2duaXRvOmIiLCAic2siOiAiYSIsICJhY3Rpdml0eSI6ICJhIn0="])
def test_a_cursor_from_elsewhere_is_refused(stores: Stores, cursor: str) -> None:
    with pytest.raises(InvalidQuery, match="cursor"):
        stores.conversations.page(OWNER, limit=1, cursor=cursor)
