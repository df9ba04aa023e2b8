"""When a queue message is tried again, and how the work of a long one goes on."""

from __future__ import annotations

from typing import Any

from ragstone.aws.failures import translated

LONGEST_SECONDS = 900


class RetrySchedule:
    """Lets a failed message come back after a delay that doubles with each try.

    Without it a message stays hidden for the queue's whole visibility timeout, which is six times the function's.
    """

    def __init__(self, sqs: Any, *, base_seconds: int) -> None:
        self._sqs = sqs
        self._base_seconds = base_seconds

    def postpone(self, *, queue_arn: str, receipt: str, tries: int) -> None:
        delay = min(self._base_seconds * 2 ** (tries - 1), LONGEST_SECONDS)
        with translated(f"the queue {queue_arn}"):
            self._sqs.change_message_visibility(
                QueueUrl=self._url(queue_arn), ReceiptHandle=receipt, VisibilityTimeout=delay
            )

    def go_on(self, *, queue_arn: str, body: str) -> None:
        """Send what is left of a message's work as a message of its own, with tries of its own."""
        with translated(f"the queue {queue_arn}"):
            self._sqs.send_message(QueueUrl=self._url(queue_arn), MessageBody=body)

    def _url(self, arn: str) -> str:
        account, name = arn.split(":")[-2:]
        return self._sqs.get_queue_url(QueueName=name, QueueOwnerAWSAccountId=account)["QueueUrl"]
