"""An SQS client that keeps what it was told."""

from __future__ import annotations

from dataclasses import dataclass, field

URL = "https://queues/111122223333/ragstone-ingest"


@dataclass
class RecordingSqs:
    """`delays` are the visibility time-outs in seconds that were set, by receipt handle; `sent` are messages."""

    delays: dict[str, int] = field(default_factory=dict[str, int])
    sent: list[str] = field(default_factory=list[str])

    def get_queue_url(self, *, QueueName: str, QueueOwnerAWSAccountId: str) -> dict[str, str]:
        return {"QueueUrl": f"https://queues/{QueueOwnerAWSAccountId}/{QueueName}"}

    def change_message_visibility(self, *, QueueUrl: str, ReceiptHandle: str, VisibilityTimeout: int) -> None:
        assert QueueUrl == URL
        self.delays[ReceiptHandle] = VisibilityTimeout

    def send_message(self, *, QueueUrl: str, MessageBody: str) -> None:
        assert QueueUrl == URL
        self.sent.append(MessageBody)
