"""What ingestion gave up on, and its way back into the queue."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ragstone.aws.failures import translated
from ragstone.errors import PermanentError, TransientError

HIDDEN_SECONDS = 60
"""How long a message that is being moved is hidden from others; what can't be moved is there again after it."""

WAIT_SECONDS = 1
MOST_AT_ONCE = 10
SENT = "SentTimestamp"


@dataclass(frozen=True, slots=True)
class Replayed:
    """A message that was moved, or why it was not; `key` is the object that it is about, None if it can't be read."""

    message_id: str
    key: str | None
    kind: str | None
    error: str | None = None


class DeadLetters:
    """Moves messages from the dead-letter queue to the queue that they came from, one by one.

    A message is sent before it is deleted: one that is moved twice is ingested once, one that is lost is not at all.
    """

    def __init__(self, sqs: Any, *, dead_letters_url: str, queue_url: str) -> None:
        self._sqs = sqs
        self._dead_letters_url = dead_letters_url
        self._queue_url = queue_url

    def replay(self, *, limit: int | None = None) -> Iterator[Replayed]:
        """At most `limit` messages, until there are none that were dead before this began.

        A message that fails again comes back with a new time, and stays: it would be moved for ever.
        """
        begun = time.time() * 1000
        tried, most = 0, sys.maxsize if limit is None else limit
        while tried < most and (messages := self._receive(most - tried)):
            for message in messages:
                if float(message["Attributes"][SENT]) < begun:
                    yield self._moved(message)
                    tried += 1

    def _receive(self, most: int) -> list[dict[str, Any]]:
        with translated(f"the queue {self._dead_letters_url}"):
            reply = self._sqs.receive_message(
                QueueUrl=self._dead_letters_url,
                MaxNumberOfMessages=min(most, MOST_AT_ONCE),
                VisibilityTimeout=HIDDEN_SECONDS,
                WaitTimeSeconds=WAIT_SECONDS,
                MessageSystemAttributeNames=[SENT],
                MessageAttributeNames=["All"],
            )
        return reply.get("Messages", [])

    def _moved(self, message: Mapping[str, Any]) -> Replayed:
        key, kind = _about(message["Body"])
        attributes = message.get("MessageAttributes", {})
        try:
            with translated(f"the queue {self._queue_url}"):
                self._sqs.send_message(
                    QueueUrl=self._queue_url, MessageBody=message["Body"], MessageAttributes=attributes
                )
            with translated(f"the queue {self._dead_letters_url}"):
                self._sqs.delete_message(QueueUrl=self._dead_letters_url, ReceiptHandle=message["ReceiptHandle"])
        except (TransientError, PermanentError) as error:
            return Replayed(message["MessageId"], key, kind, str(error))
        return Replayed(message["MessageId"], key, kind)


def _about(body: str) -> tuple[str | None, str | None]:
    """The key and the kind of event in a message."""
    try:
        event = json.loads(body)
        return event["detail"]["object"]["key"], event["detail-type"]
    except (ValueError, KeyError, TypeError):
        return None, None
