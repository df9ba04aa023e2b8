"""An SQS client that keeps what it was told."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass
class RecordingSqs:
    """`delays` are the visibility time-outs in seconds that were set, by receipt handle."""

    delays: dict[str, int] = field(default_factory=dict[str, int])

    def get_queue_url(self, *, QueueName: str, QueueOwnerAWSAccountId: str) -> dict[str, str]:
        return {"QueueUrl": f"https://queues/{QueueOwnerAWSAccountId}/{QueueName}"}

    def change_message_visibility(self, *, QueueUrl: str, ReceiptHandle: str, VisibilityTimeout: int) -> None:
        assert QueueUrl == "https://queues/111122223333/ragstone-ingest"
        self.delays[ReceiptHandle] = VisibilityTimeout
