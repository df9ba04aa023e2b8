"""DynamoDB behind the GenerationPointer port: one item of the documents table."""

from __future__ import annotations

from typing import Any

from boto3.dynamodb.conditions import Attr
from botocore.exceptions import ClientError
from pydantic import TypeAdapter

from ragstone.aws.failures import code_of, translated
from ragstone.types import Generations

GENERATIONS = TypeAdapter(Generations)


class DynamoGenerationPointer:
    """One item, keyed `generations:<name>`, which no document's key is like; it is in no listing of documents.

    `resource` is boto3's DynamoDB resource.
    """

    def __init__(self, resource: Any, *, table: str, name: str) -> None:
        self._table = resource.Table(table)
        self._key = {"pk": f"generations:{name}"}

    def read(self) -> Generations | None:
        with translated(f"the table {self._table.name}"):
            item = self._table.get_item(Key=self._key, ConsistentRead=True).get("Item")
        return GENERATIONS.validate_json(item["state"]) if item else None

    def write(self, generations: Generations) -> bool:
        before = Attr("revision").eq(generations.revision - 1)
        is_first = generations.revision == 1
        with translated(f"the table {self._table.name}"):
            try:
                self._table.update_item(
                    Key=self._key,
                    UpdateExpression="SET #state = :state, #revision = :revision",
                    ExpressionAttributeNames={"#state": "state", "#revision": "revision"},
                    ExpressionAttributeValues={
                        ":state": GENERATIONS.dump_json(generations).decode(),
                        ":revision": generations.revision,
                    },
                    ConditionExpression=Attr("revision").not_exists() if is_first else before,
                )
            except ClientError as error:
                if code_of(error) == "ConditionalCheckFailedException":
                    return False
                raise
        return True
