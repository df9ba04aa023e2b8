from __future__ import annotations

import pytest

from ragstone.aws.retries import LONGEST_SECONDS, RetrySchedule
from tests.support.recording_sqs import RecordingSqs

ARN = "arn:aws:sqs:eu-central-1:111122223333:ragstone-ingest"


@pytest.mark.parametrize(("tries", "seconds"), [(1, 5), (2, 10), (3, 20), (4, 40), (5, 80)])
def test_the_delay_doubles_with_each_try(tries: int, seconds: int) -> None:
    sqs = RecordingSqs()
    RetrySchedule(sqs, base_seconds=5).postpone(queue_arn=ARN, receipt="r", tries=tries)
    assert sqs.delays == {"r": seconds}


@pytest.mark.parametrize("tries", [9, 12, 1_000])
def test_the_delay_has_a_ceiling(tries: int) -> None:
    sqs = RecordingSqs()
    RetrySchedule(sqs, base_seconds=5).postpone(queue_arn=ARN, receipt="r", tries=tries)
    assert sqs.delays == {"r": LONGEST_SECONDS}


def test_without_a_base_a_message_comes_back_at_once() -> None:
    sqs = RecordingSqs()
    RetrySchedule(sqs, base_seconds=0).postpone(queue_arn=ARN, receipt="r", tries=4)
    assert sqs.delays == {"r": 0}


def test_the_rest_of_a_message_s_work_is_a_message() -> None:
    sqs = RecordingSqs()
    RetrySchedule(sqs, base_seconds=5).go_on(queue_arn=ARN, body="the rest")
    assert (sqs.sent, sqs.delays) == (["the rest"], {})
