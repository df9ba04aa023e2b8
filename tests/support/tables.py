"""The stack's tables."""

from __future__ import annotations

from typing import Any

from ragstone.aws.document_listing import BY_SOURCE
from tests.support.fixtures_ministack import Account

DOCUMENTS_TABLE = "documents"
CONVERSATIONS_TABLE = "conversations"


def create_documents_table(account: Account) -> None:
    account.client("dynamodb").create_table(
        TableName=DOCUMENTS_TABLE,
        BillingMode="PAY_PER_REQUEST",
        KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}],
        AttributeDefinitions=[{"AttributeName": name, "AttributeType": "S"} for name in ("pk", "namespace", "source")],
        GlobalSecondaryIndexes=[_index(BY_SOURCE, "namespace", "source")],
    )


def create_conversations_table(account: Account) -> None:
    account.client("dynamodb").create_table(
        TableName=CONVERSATIONS_TABLE,
        BillingMode="PAY_PER_REQUEST",
        KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
        AttributeDefinitions=[
            {"AttributeName": name, "AttributeType": "S"} for name in ("pk", "sk", "activity", "rated", "rated_at")
        ],
        GlobalSecondaryIndexes=[
            _index("by_activity", "pk", "activity"),
            _index("by_rating", "rated", "rated_at"),
        ],
    )


def _index(name: str, partition: str, sort: str) -> dict[str, Any]:
    return {
        "IndexName": name,
        "KeySchema": [
            {"AttributeName": partition, "KeyType": "HASH"},
            {"AttributeName": sort, "KeyType": "RANGE"},
        ],
        "Projection": {"ProjectionType": "ALL"},
    }
