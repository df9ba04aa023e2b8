"""DynamoDB behind the DocumentRegistry port: the table that says which version of each document is true."""

from __future__ import annotations

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

from boto3.dynamodb.conditions import Attr, ConditionBase, Key
from botocore.exceptions import ClientError

from ragstone.aws.failures import code_of
from ragstone.errors import InvalidQuery, TransientError
from ragstone.types import CurrentVersion, DocumentPage, DocumentRecord, DocumentStatus, ObjectRef

BY_SOURCE = "by_source"
BATCH_GET_LIMIT = 100
UNFINISHED = [DocumentStatus.PROCESSING.value, DocumentStatus.FAILED.value]


class DynamoDocumentRegistry:
    """One item a document, keyed `<namespace>#<document id>`; a namespace is one index with its own truth.

    `resource` is boto3's DynamoDB resource.
    """

    def __init__(self, resource: Any, *, table: str, namespace: str) -> None:
        self._resource = resource
        self._table = resource.Table(table)
        self._namespace = namespace

    def begin(self, document: ObjectRef, sequencer: str) -> DocumentRecord | None:
        order = padded(sequencer)
        unfinished = Attr("order").eq(order) & Attr("status").is_in(UNFINISHED)
        item = self._update(
            document.document_id,
            {
                "namespace": self._namespace,
                "source": document.source,
                "bucket": document.bucket,
                "key": document.key,
                "sequencer": sequencer,
                "order": order,
                "status": DocumentStatus.PROCESSING.value,
                "updated_at": _now(),
            },
            Attr("order").not_exists() | Attr("order").lt(order) | unfinished,
        )
        return _record(item) if item else None

    def finish(self, record: DocumentRecord) -> bool:
        values = {**asdict(record), "status": record.status.value, "updated_at": _now()}
        for key in ("document_id", "bucket", "key", "sequencer"):
            del values[key]
        return self._update(record.document_id, values, Attr("order").eq(padded(record.sequencer))) is not None

    def fail(self, document: ObjectRef, sequencer: str, message: str) -> None:
        status = {
            "status": DocumentStatus.FAILED.value,
            "reason": "temporary",
            "message": message,
            "updated_at": _now(),
        }
        self._update(document.document_id, status, Attr("order").eq(padded(sequencer)))

    def get(self, document_id: str) -> DocumentRecord | None:
        item = self._table.get_item(Key=self._key(document_id), ConsistentRead=True).get("Item")
        return _record(item) if item else None

    def current(self, document_ids: Sequence[str]) -> Mapping[str, CurrentVersion]:
        keys = [self._key(document_id) for document_id in dict.fromkeys(document_ids)]
        batches = (keys[start : start + BATCH_GET_LIMIT] for start in range(0, len(keys), BATCH_GET_LIMIT))
        items = (item for batch in batches for item in self._batch_get(batch))
        return {
            _document_id(item): CurrentVersion(item["version"], tuple(item.get("acl", ())))
            for item in items
            if item.get("version")
        }

    def page(self, *, limit: int = 100, cursor: str | None = None) -> DocumentPage:
        start = {"ExclusiveStartKey": _decode(cursor)} if cursor else {}
        reply = self._table.query(
            IndexName=BY_SOURCE, KeyConditionExpression=Key("namespace").eq(self._namespace), Limit=limit, **start
        )
        last = reply.get("LastEvaluatedKey")
        return DocumentPage(tuple(_record(item) for item in reply["Items"]), _encode(last) if last else None)

    def _key(self, document_id: str) -> dict[str, str]:
        return {"pk": f"{self._namespace}#{document_id}"}

    def _update(self, document_id: str, values: Mapping[str, Any], condition: ConditionBase) -> dict[str, Any] | None:
        """Set the given attributes (None removes one) if the condition holds; the new item, or None if it doesn't."""
        names = {f"#{n}": name for n, name in enumerate(values)}
        kept = [n for n, value in enumerate(values.values()) if value is not None]
        gone = [n for n, value in enumerate(values.values()) if value is None]
        expression = "SET " + ", ".join(f"#{n} = :{n}" for n in kept)
        expression += (" REMOVE " + ", ".join(f"#{n}" for n in gone)) if gone else ""
        try:
            reply = self._table.update_item(
                Key=self._key(document_id),
                UpdateExpression=expression,
                ExpressionAttributeNames=names,
                ExpressionAttributeValues={f":{n}": value for n, value in enumerate(values.values()) if n in kept},
                ConditionExpression=condition,
                ReturnValues="ALL_NEW",
            )
        except ClientError as error:
            if code_of(error) == "ConditionalCheckFailedException":
                return None
            raise
        return reply["Attributes"]

    def _batch_get(self, keys: list[dict[str, str]]) -> list[dict[str, Any]]:
        """Every item, consistently read; DynamoDB may leave some of a batch for another try."""
        items: list[dict[str, Any]] = []
        for _ in range(5):
            reply = self._resource.batch_get_item(
                RequestItems={self._table.name: {"Keys": keys, "ConsistentRead": True}}
            )
            items += reply["Responses"].get(self._table.name, [])
            keys = reply.get("UnprocessedKeys", {}).get(self._table.name, {}).get("Keys", [])
            if not keys:
                return items
        raise TransientError("the document registry is throttled; try again in a moment")


def padded(sequencer: str) -> str:
    """S3 sequencers of one key compare as text once the shorter is padded with zeros on the left."""
    return sequencer.upper().rjust(64, "0")


def _document_id(item: Mapping[str, Any]) -> str:
    return str(item["pk"]).rpartition("#")[2]


def _record(item: Mapping[str, Any]) -> DocumentRecord:
    fields: dict[str, Any] = {n: _plain(item[n]) for n in DocumentRecord.__dataclass_fields__ if n in item}
    fields |= {"document_id": _document_id(item), "status": DocumentStatus(fields["status"])}
    return DocumentRecord(**fields)


def _plain(value: Any) -> Any:
    """DynamoDB's numbers and lists as integers and tuples."""
    match value:
        case Decimal():
            return int(value)
        case [*entries]:
            return tuple(_plain(entry) for entry in entries)
        case {**fields}:
            return {str(name): _plain(entry) for name, entry in fields.items()}
        case _:
            return value


def _encode(key: Mapping[str, str]) -> str:
    return urlsafe_b64encode(json.dumps(dict(key)).encode()).decode()


def _decode(cursor: str) -> dict[str, str]:
    try:
        return dict(json.loads(urlsafe_b64decode(cursor)))
    except ValueError as error:
        raise InvalidQuery("bad_cursor", "The cursor is not one that a listing returned; start without one.") from error


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")
