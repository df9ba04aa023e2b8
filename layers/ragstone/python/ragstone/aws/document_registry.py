"""DynamoDB behind the DocumentRegistry port: the table that says which version of each document is true."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import asdict
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any, NamedTuple

from boto3.dynamodb.conditions import Attr, ConditionBase
from botocore.exceptions import ClientError

from ragstone.aws import document_listing
from ragstone.aws.failures import code_of, translated
from ragstone.errors import TransientError
from ragstone.ports import EVERYTHING
from ragstone.types import (
    CurrentVersion,
    DocumentFilter,
    DocumentPage,
    DocumentRecord,
    DocumentStatus,
    ObjectChange,
    Part,
)

BATCH_GET_LIMIT = 100


class _Order(NamedTuple):
    """The attributes that order the changes of one part of a document: as S3 wrote it, to compare, the last done."""

    sequencer: str
    order: str
    done: str


ORDERS = {
    Part.CONTENT: _Order("sequencer", "order", "done"),
    Part.SIDECAR: _Order("sidecar_sequencer", "sidecar_order", "sidecar_done"),
}


class DynamoDocumentRegistry:
    """One item a document, keyed `<namespace>#<document id>`; a namespace is one index with its own truth.

    `resource` is boto3's DynamoDB resource.
    """

    def __init__(self, resource: Any, *, table: str, namespace: str) -> None:
        self._resource = resource
        self._table = resource.Table(table)
        self._namespace = namespace

    def begin(self, change: ObjectChange, *, acl: Sequence[str] | None = None) -> DocumentRecord | None:
        document, order, names = change.object, padded(change.sequencer), ORDERS[change.part]
        undone = Attr(names.done).not_exists() | Attr(names.done).lt(order)
        item = self._update(
            document.document_id,
            {
                "namespace": self._namespace,
                "source": document.source,
                "bucket": document.bucket,
                "key": document.key,
                names.sequencer: change.sequencer,
                names.order: order,
                "status": DocumentStatus.PROCESSING.value,
                "updated_at": _now(),
                **({} if acl is None else {"acl": tuple(acl)}),
            },
            Attr(names.order).not_exists() | Attr(names.order).lt(order) | (Attr(names.order).eq(order) & undone),
        )
        return _record(item) if item else None

    def finish(self, record: DocumentRecord) -> bool:
        values = {**asdict(record), "status": record.status.value, "updated_at": _now()}
        for key in ("document_id", "bucket", "key", "sequencer", "sidecar_sequencer"):
            del values[key]
        values |= {ORDERS[part].done: padded(sequencer) for part, sequencer in _claims(record) if sequencer}
        return self._update(record.document_id, values, _claimed_by(record)) is not None

    def fail(self, record: DocumentRecord, message: str) -> None:
        failed = {
            "status": DocumentStatus.FAILED.value,
            "reason": "temporary",
            "message": message,
            "updated_at": _now(),
            **{names.done: None for names in ORDERS.values()},
        }
        self._update(record.document_id, failed, _claimed_by(record))

    def get(self, document_id: str) -> DocumentRecord | None:
        with self._failures():
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

    def page(self, *, limit: int = 100, cursor: str | None = None, where: DocumentFilter = EVERYTHING) -> DocumentPage:
        with self._failures():
            items, after = document_listing.page(self._table, self._namespace, limit=limit, cursor=cursor, where=where)
        return DocumentPage(tuple(map(_record, items)), after)

    def _key(self, document_id: str) -> dict[str, str]:
        return {"pk": f"{self._namespace}#{document_id}"}

    def _update(self, document_id: str, values: Mapping[str, Any], condition: ConditionBase) -> dict[str, Any] | None:
        """Set the given attributes (None removes one) if the condition holds; the new item, or None if it doesn't."""
        names = {f"#{n}": name for n, name in enumerate(values)}
        kept = [n for n, value in enumerate(values.values()) if value is not None]
        gone = [n for n, value in enumerate(values.values()) if value is None]
        expression = "SET " + ", ".join(f"#{n} = :{n}" for n in kept)
        expression += (" REMOVE " + ", ".join(f"#{n}" for n in gone)) if gone else ""
        with self._failures():
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
            with self._failures():
                reply = self._resource.batch_get_item(
                    RequestItems={self._table.name: {"Keys": keys, "ConsistentRead": True}}
                )
            items += reply["Responses"].get(self._table.name, [])
            keys = reply.get("UnprocessedKeys", {}).get(self._table.name, {}).get("Keys", [])
            if not keys:
                return items
        raise TransientError("the document registry is throttled; try again in a moment")

    def _failures(self) -> AbstractContextManager[None]:
        return translated(f"the table {self._table.name}")


def padded(sequencer: str) -> str:
    """S3 sequencers of one key compare as text once the shorter is padded with zeros on the right."""
    return sequencer.upper().ljust(64, "0")


def _claimed_by(record: DocumentRecord) -> ConditionBase:
    """That no newer change of either part was claimed since."""
    content, sidecar = (
        Attr(ORDERS[part].order).eq(padded(sequencer)) if sequencer else Attr(ORDERS[part].order).not_exists()
        for part, sequencer in _claims(record)
    )
    return content & sidecar


def _claims(record: DocumentRecord) -> tuple[tuple[Part, str], ...]:
    return (Part.CONTENT, record.sequencer), (Part.SIDECAR, record.sidecar_sequencer)


def _document_id(item: Mapping[str, Any]) -> str:
    return str(item["pk"]).rpartition("#")[2]


def _record(item: Mapping[str, Any]) -> DocumentRecord:
    fields: dict[str, Any] = {n: _plain(item[n]) for n in DocumentRecord.__dataclass_fields__ if n in item}
    fields.setdefault("sequencer", "")
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


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")
