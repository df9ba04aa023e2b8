"""The DynamoDB table of what belongs to callers: conversations, answers, shares, ratings and budgets."""

from __future__ import annotations

from constructs import Construct

from infra.constructs.kept_table import Keeping, add_index, kept_table

INDEXES = {"by_activity": ("pk", "activity"), "by_rating": ("rated", "rated_at")}


class ConversationsTable(Construct):
    """A partition an owner; items are gone after `expires_at`."""

    def __init__(self, scope: Construct, id_: str, *, keeping: Keeping) -> None:
        super().__init__(scope, id_)
        self.table = kept_table(self, keeping, partition="pk", sort="sk", time_to_live="expires_at")
        for name, (partition, sort) in INDEXES.items():
            add_index(self.table, name, partition=partition, sort=sort)
