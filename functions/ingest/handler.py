"""The ingest function: S3 events from the queue, each carried out by the ingestion use case."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

from aws_lambda_powertools.utilities.batch import (
    BatchProcessor,
    EventType,
    process_partial_response,  # pyright: ignore[reportUnknownVariableType]
)
from aws_lambda_powertools.utilities.batch.types import PartialItemFailureResponse
from aws_lambda_powertools.utilities.data_classes.sqs_event import SQSRecord
from aws_lambda_powertools.utilities.typing import LambdaContext

from ragstone.composition import build_ingestion, read_settings
from ragstone.ingestion import Ingestion, change_of
from ragstone.observability import logger

# A batch whose messages all fail is as partial as any other: each message counts its own tries.
processor = BatchProcessor(EventType.SQS, raise_on_entire_batch_failure=False)


@cache
def build() -> Ingestion:
    return build_ingestion(read_settings())


def ingest(record: SQSRecord) -> None:
    """Carry out one message; whatever it raises sends this message back to the queue, and this one only."""
    change = change_of(json.loads(record.body))
    if change is None:
        return
    try:
        outcome = build().apply(change)
    except Exception as error:
        build().fail(change, error)
        raise
    logger.info("ingested", key=change.object.key, kind=change.kind, status=outcome and outcome.status)


@logger.inject_lambda_context(clear_state=True)
def handler(event: dict[str, Any], context: LambdaContext) -> PartialItemFailureResponse:
    return process_partial_response(event=event, record_handler=ingest, processor=processor, context=context)
