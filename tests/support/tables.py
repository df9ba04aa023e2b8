"""The documents table as the stack makes it."""

from __future__ import annotations

from ragstone.aws.document_listing import BY_SOURCE
from tests.support.fixtures_ministack import Account

DOCUMENTS_TABLE = "documents"


def create_documents_table(account: Account) -> None:
    account.client("dynamodb").create_table(
        TableName=DOCUMENTS_TABLE,
        BillingMode="PAY_PER_REQUEST",
        KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}],
        AttributeDefinitions=[{"AttributeName": name, "AttributeType": "S"} for name in ("pk", "namespace", "source")],
        GlobalSecondaryIndexes=[
            {
                "IndexName": BY_SOURCE,
                "KeySchema": [
                    {"AttributeName": "namespace", "KeyType": "HASH"},
                    {"AttributeName": "source", "KeyType": "RANGE"},
                ],
                "Projection": {"ProjectionType": "ALL"},
            }
        ],
    )
