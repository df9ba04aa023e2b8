"""SQS behind the ChangeQueue port: changes as S3 would tell of them, through EventBridge."""

from __future__ import annotations

import json
from typing import Any

from ragstone.aws.failures import translated
from ragstone.types import ChangeKind, ObjectChange

DETAIL_TYPES = {ChangeKind.CREATED: "Object Created", ChangeKind.DELETED: "Object Deleted"}


class SqsChangeQueue:
    """Sends to the queue that the ingest function reads."""

    def __init__(self, sqs: Any, *, queue_url: str) -> None:
        self._sqs = sqs
        self._queue_url = queue_url

    def send(self, change: ObjectChange) -> None:
        with translated(f"the queue {self._queue_url}"):
            self._sqs.send_message(QueueUrl=self._queue_url, MessageBody=json.dumps(event_of(change)))


def event_of(change: ObjectChange) -> dict[str, Any]:
    """The event from which ingestion reads this change of a document's content."""
    written = {"key": change.object.key, "sequencer": change.sequencer, "etag": change.etag}
    return {
        "source": "ragstone",
        "detail-type": DETAIL_TYPES[change.kind],
        "detail": {"bucket": {"name": change.object.bucket}, "object": written},
    }
