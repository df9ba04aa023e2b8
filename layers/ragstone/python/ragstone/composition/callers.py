"""What belongs to callers: conversations, what they share and rate, and what they may spend."""

from __future__ import annotations

from ragstone.aws.clients import dynamodb
from ragstone.aws.conversations import DynamoConversations, DynamoShares, DynamoTurns
from ragstone.aws.owner_items import OwnerItems
from ragstone.aws.usage import DynamoUsageMeter
from ragstone.budgets import Budgets
from ragstone.composition.resources import build_registry
from ragstone.conversations.conversations import Conversations
from ragstone.conversations.feedback import FeedbackBook
from ragstone.conversations.sharing import Sharing
from ragstone.settings import Settings


def build_conversations(settings: Settings) -> Conversations | None:
    """None where the settings name no table for them."""
    items = owner_items(settings)
    if items is None:
        return None
    return Conversations(store=DynamoConversations(items), turns=DynamoTurns(items), registry=build_registry(settings))


def build_sharing(settings: Settings) -> Sharing | None:
    items, conversations = owner_items(settings), build_conversations(settings)
    return Sharing(conversations=conversations, shares=DynamoShares(items)) if items and conversations else None


def build_feedback(conversations: Conversations) -> FeedbackBook:
    return FeedbackBook(turns=conversations.turns, registry=conversations.registry)


def build_budgets(settings: Settings) -> Budgets | None:
    items = owner_items(settings)
    if items is None:
        return None
    return Budgets(
        meter=DynamoUsageMeter(items),
        requests_a_minute=settings.requests_a_minute,
        tokens_a_day=settings.tokens_a_day,
        tokens_a_day_in_all=settings.tokens_a_day_in_all,
    )


def owner_items(settings: Settings) -> OwnerItems | None:
    if not settings.conversations_table:
        return None
    return OwnerItems(dynamodb(), table=settings.conversations_table, ttl_days=settings.conversation_days)
