"""The ingest function: S3 events from the queue, each carried out by the ingestion use case."""

from __future__ import annotations

import json
from functools import cache
from typing import Any, NamedTuple

from aws_lambda_powertools.utilities.batch import (
    BatchProcessor,
    EventType,
    process_partial_response,  # pyright: ignore[reportUnknownVariableType]
)
from aws_lambda_powertools.utilities.batch.types import PartialItemFailureResponse
from aws_lambda_powertools.utilities.data_classes.sqs_event import SQSRecord
from aws_lambda_powertools.utilities.typing import LambdaContext

from ragstone.aws.retries import RetrySchedule
from ragstone.composition import build_retries, read_settings
from ragstone.deployment import build_every_generation
from ragstone.generations.every import EveryGeneration, Interrupted
from ragstone.ingestion import Budget, change_of
from ragstone.observability import logger
from ragstone.observability.documents import ingested

# A batch whose messages all fail is as partial as any other: each message counts its own tries.
processor = BatchProcessor(EventType.SQS, raise_on_entire_batch_failure=False)


# How many of its chunks a long document has in which index already; added to the event when its work goes on.
WRITTEN, GENERATION = "ragstone-written", "ragstone-generation"


class Parts(NamedTuple):
    ingestion: EveryGeneration
    retries: RetrySchedule
    environment: str = "local"


@cache
def build() -> Parts:
    settings = read_settings()
    return Parts(build_every_generation(settings), build_retries(settings), settings.environment)


def ingest(record: SQSRecord, lambda_context: LambdaContext) -> None:
    """Carry out one message; whatever it raises sends this message back to the queue, and this one only."""
    try:
        event = json.loads(record.body)
        budget = Budget(event.get(WRITTEN, 0), lambda: lambda_context.get_remaining_time_in_millis() / 1_000)
        if change := change_of(event):
            outcome = build().ingestion.apply(change, budget, at=event.get(GENERATION, ""))
            ingested(build().environment, change, outcome)
    except Interrupted as stopped:
        progress = {WRITTEN: stopped.written, GENERATION: stopped.generation}
        rest = json.dumps({**json.loads(record.body), **progress})
        build().retries.go_on(queue_arn=record.event_source_arn, body=rest)
    except Exception:
        tries = int(record.attributes.approximate_receive_count)
        build().retries.postpone(queue_arn=record.event_source_arn, receipt=record.receipt_handle, tries=tries)
        raise


@logger.inject_lambda_context(clear_state=True)
def handler(event: dict[str, Any], context: LambdaContext) -> PartialItemFailureResponse:
    return process_partial_response(event=event, record_handler=ingest, processor=processor, context=context)
