"""From a changed object to the ingest function: rule, queue with its dead-letter queue, event source, alarms."""

from __future__ import annotations

from aws_cdk import Duration
from aws_cdk.aws_cloudwatch import Alarm, ComparisonOperator, Metric, TreatMissingData
from aws_cdk.aws_events import EventPattern, Match, Rule
from aws_cdk.aws_events_targets import SqsQueue
from aws_cdk.aws_lambda import Function
from aws_cdk.aws_lambda_event_sources import SqsEventSource
from aws_cdk.aws_s3 import IBucket
from aws_cdk.aws_sqs import DeadLetterQueue, Queue, QueueEncryption
from constructs import Construct

# A message stays hidden while the poller may still retry a throttled function with it: AWS asks for six time-outs.
VISIBILITY_FACTOR = 6
LEAST_CONCURRENCY = 2  # that Lambda takes for an event source
INBOX = "inbox/"


class Ingestion(Construct):
    """Each change below `inbox/` reaches the function at least once, or ends in `dead_letters`.

    `backfill` is for the many that a new index is built from: they wait in a queue of their own, so that changes don't.
    """

    def __init__(
        self,
        scope: Construct,
        id_: str,
        *,
        bucket: IBucket,
        function: Function,
        timeout: Duration,
        batch_size: int,
        max_concurrency: int,
        max_receive_count: int,
        oldest_message_alarm: Duration,
    ) -> None:
        super().__init__(scope, id_)
        self.dead_letters = Queue(
            self,
            "DeadLetters",
            encryption=QueueEncryption.SQS_MANAGED,
            enforce_ssl=True,
            retention_period=Duration.days(14),
        )
        last = DeadLetterQueue(queue=self.dead_letters, max_receive_count=max_receive_count)
        self.queue = self._work_queue("Queue", timeout, last)
        self.backfill = self._work_queue("Backfill", timeout, last)
        self._send_changes(bucket)
        backfill_concurrency = max(LEAST_CONCURRENCY, max_concurrency // 2)
        for queue, concurrency in ((self.queue, max_concurrency), (self.backfill, backfill_concurrency)):
            function.add_event_source(
                SqsEventSource(
                    queue, batch_size=batch_size, max_concurrency=concurrency, report_batch_item_failures=True
                )
            )
        oldest = self.queue.metric_approximate_age_of_oldest_message(period=Duration.minutes(5))
        self.alarms = [
            self._alarm("DeadLettersAlarm", self._dead_letter_count(), above=0),
            self._alarm("OldestMessageAlarm", oldest, above=int(oldest_message_alarm.to_seconds())),
        ]

    def _work_queue(self, id_: str, timeout: Duration, last: DeadLetterQueue) -> Queue:
        return Queue(
            self,
            id_,
            encryption=QueueEncryption.SQS_MANAGED,
            enforce_ssl=True,
            retention_period=Duration.days(14),
            visibility_timeout=Duration.seconds(VISIBILITY_FACTOR * int(timeout.to_seconds())),
            dead_letter_queue=last,
        )

    def _send_changes(self, bucket: IBucket) -> None:
        Rule(
            self,
            "Changes",
            event_pattern=EventPattern(
                source=["aws.s3"],
                detail_type=["Object Created", "Object Deleted"],
                detail={"bucket": {"name": [bucket.bucket_name]}, "object": {"key": Match.prefix(INBOX)}},
            ),
            targets=[SqsQueue(self.queue, dead_letter_queue=self.dead_letters)],  # pyright: ignore[reportArgumentType]
        )

    def _dead_letter_count(self) -> Metric:
        return self.dead_letters.metric_approximate_number_of_messages_visible(period=Duration.minutes(1))

    def _alarm(self, id_: str, metric: Metric, *, above: int) -> Alarm:
        return metric.create_alarm(
            self,
            id_,
            threshold=above,
            evaluation_periods=1,
            comparison_operator=ComparisonOperator.GREATER_THAN_THRESHOLD,
            treat_missing_data=TreatMissingData.NOT_BREACHING,
        )
