"""What the log and the metrics say of each change of a document."""

from __future__ import annotations

from collections.abc import Iterator

from aws_lambda_powertools.metrics import MetricUnit

from ragstone.observability import logger
from ragstone.observability.metrics import Measured, publish
from ragstone.types import DocumentRecord, ObjectChange


def ingested(environment: str, change: ObjectChange, outcome: DocumentRecord | None) -> None:
    """Note what a change came to; without an outcome a newer one holds, or it was done before."""
    status, message = (outcome.status, outcome.message) if outcome else (None, None)
    logger.info("ingested", key=change.object.key, kind=change.kind, status=status, outcome=message)
    if outcome:
        publish(environment, _measured(outcome))


def _measured(outcome: DocumentRecord) -> Iterator[Measured]:
    yield Measured("Documents", 1)
    yield Measured(f"Documents.{outcome.status}", 1)
    yield Measured("Chunks", outcome.chunks)
    for stage, milliseconds in outcome.timings_ms.items():
        yield Measured(f"DocumentLatency.{stage}", milliseconds, MetricUnit.Milliseconds)
