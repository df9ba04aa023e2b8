from __future__ import annotations

from typing import Any

import pytest

from tests.infra.templates import Templates

QUEUES = ("IngestionQueue", "IngestionBackfill")


def source_of(templates: Templates, queue: str) -> dict[str, Any]:
    """What lets the function read from a queue."""
    sources = (each["Properties"] for each in templates.of_type("AWS::Lambda::EventSourceMapping").values())
    (found,) = (source for source in sources if source["EventSourceArn"]["Fn::GetAtt"][0].startswith(queue))
    return found


@pytest.mark.parametrize("queue", QUEUES)
def test_a_message_stays_hidden_for_six_timeouts(deployed: Templates, queue: str) -> None:
    hidden = deployed.one("AWS::SQS::Queue", queue)["VisibilityTimeout"]
    assert hidden >= 6 * deployed.one("AWS::Lambda::Function", "Ingest")["Timeout"]


@pytest.mark.parametrize("queue", QUEUES)
def test_what_keeps_failing_ends_in_the_dead_letter_queue(deployed: Templates, queue: str) -> None:
    policy = deployed.one("AWS::SQS::Queue", queue)["RedrivePolicy"]
    (dead_letters,) = (name for name in deployed.of_type("AWS::SQS::Queue") if "DeadLetters" in name)
    assert policy["deadLetterTargetArn"] == {"Fn::GetAtt": [dead_letters, "Arn"]}
    assert policy["maxReceiveCount"] >= 5


def test_dead_letters_are_kept_as_long_as_possible(deployed: Templates) -> None:
    assert deployed.one("AWS::SQS::Queue", "IngestionDeadLetters")["MessageRetentionPeriod"] == 14 * 24 * 3600


def test_queues_are_encrypted_and_refuse_requests_without_tls(deployed: Templates) -> None:
    queues, policies = deployed.of_type("AWS::SQS::Queue"), deployed.of_type("AWS::SQS::QueuePolicy")
    assert {queue["Properties"]["SqsManagedSseEnabled"] for queue in queues.values()} == {True}
    denials = [
        statement
        for policy in policies.values()
        for statement in policy["Properties"]["PolicyDocument"]["Statement"]
        if statement["Effect"] == "Deny"
    ]
    assert [d["Condition"] for d in denials] == [{"Bool": {"aws:SecureTransport": "false"}}] * len(queues)


def test_only_changes_below_the_inbox_are_sent(deployed: Templates) -> None:
    rule = deployed.one("AWS::Events::Rule")
    pattern = rule["EventPattern"]
    assert pattern["source"] == ["aws.s3"]
    assert pattern["detail-type"] == ["Object Created", "Object Deleted"]
    assert pattern["detail"]["object"] == {"key": [{"prefix": "inbox/"}]}
    (bucket,) = pattern["detail"]["bucket"]["name"]
    assert "BucketsDocuments" in bucket["Fn::ImportValue"]
    (target,) = rule["Targets"]
    assert target["Arn"]["Fn::GetAtt"][0].startswith("IngestionQueue")
    assert target["DeadLetterConfig"]["Arn"]["Fn::GetAtt"][0].startswith("IngestionDeadLetters")
    assert "InputTransformer" not in target


@pytest.mark.parametrize("queue", QUEUES)
def test_one_failed_message_is_retried_alone(deployed: Templates, queue: str) -> None:
    assert source_of(deployed, queue)["FunctionResponseTypes"] == ["ReportBatchItemFailures"]


def test_concurrency_is_bounded_at_the_source(dev: Templates, prod: Templates) -> None:
    """Reserved concurrency would throttle the function and drain good messages into the dead-letter queue."""
    bounds = [[source_of(t, queue)["ScalingConfig"]["MaximumConcurrency"] for queue in QUEUES] for t in (dev, prod)]
    assert bounds == [[10, 5], [20, 10]]
    assert "ReservedConcurrentExecutions" not in dev.one("AWS::Lambda::Function", "Ingest")


def test_alarms_watch_dead_letters_and_waiting_messages(deployed: Templates) -> None:
    alarms = {
        a["Properties"]["MetricName"]: a["Properties"] for a in deployed.of_type("AWS::CloudWatch::Alarm").values()
    }
    dead, oldest = alarms["ApproximateNumberOfMessagesVisible"], alarms["ApproximateAgeOfOldestMessage"]
    assert (dead["Threshold"], dead["ComparisonOperator"]) == (0, "GreaterThanThreshold")
    assert dead["Dimensions"][0]["Value"]["Fn::GetAtt"][0].startswith("IngestionDeadLetters")
    assert oldest["Threshold"] == 3600
    assert oldest["Dimensions"][0]["Value"]["Fn::GetAtt"][0].startswith("IngestionQueue")
