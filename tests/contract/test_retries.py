"""A postponed message on a real queue: hidden for its delay, then back with its tries counted."""

from __future__ import annotations

from ragstone.aws.retries import RetrySchedule
from tests.support.fixtures_ministack import Account


def test_a_postponed_message_comes_back_after_its_delay(account: Account) -> None:
    sqs = account.client("sqs")
    url = sqs.create_queue(QueueName="ingest", Attributes={"VisibilityTimeout": "900"})["QueueUrl"]
    arn = sqs.get_queue_attributes(QueueUrl=url, AttributeNames=["QueueArn"])["Attributes"]["QueueArn"]
    sqs.send_message(QueueUrl=url, MessageBody="body")
    (first,) = sqs.receive_message(QueueUrl=url)["Messages"]
    RetrySchedule(sqs, base_seconds=1).postpone(queue_arn=arn, receipt=first["ReceiptHandle"], tries=1)
    assert "Messages" not in sqs.receive_message(QueueUrl=url)
    (second,) = sqs.receive_message(QueueUrl=url, WaitTimeSeconds=5, AttributeNames=["All"])["Messages"]
    assert (second["Body"], second["Attributes"]["ApproximateReceiveCount"]) == ("body", "2")
