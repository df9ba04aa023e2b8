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
from ragstone.composition import build_ingestion, build_retries, read_settings
from ragstone.ingestion import Ingestion, change_of
from ragstone.observability import logger

# A batch whose messages all fail is as partial as any other: each message counts its own tries.
processor = BatchProcessor(EventType.SQS, raise_on_entire_batch_failure=False)


class Parts(NamedTuple):
    ingestion: Ingestion
    retries: RetrySchedule


@cache
def build() -> Parts:
    settings = read_settings()
    return Parts(build_ingestion(settings), build_retries(settings))


def ingest(record: SQSRecord) -> None:
    """Carry out one message; whatever it raises sends this message back to the queue, and this one only."""
    try:
        if change := change_of(json.loads(record.body)):
            outcome = build().ingestion.apply(change)
            logger.info("ingested", key=change.object.key, kind=change.kind, status=outcome and outcome.status)
    except Exception:
        tries = int(record.attributes.approximate_receive_count)
        build().retries.postpone(queue_arn=record.event_source_arn, receipt=record.receipt_handle, tries=tries)
        raise


@logger.inject_lambda_context(clear_state=True)
def handler(event: dict[str, Any], context: LambdaContext) -> PartialItemFailureResponse:
    return process_partial_response(event=event, record_handler=ingest, processor=processor, context=context)
