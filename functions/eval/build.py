"""The build step of an evaluation: indexes one variant's documents, as many as there is time for."""

from __future__ import annotations

from functools import cache
from typing import Any

from aws_lambda_powertools.utilities.typing import LambdaContext

from ragstone.composition import build_index_for, build_ingestion, build_store, read_settings
from ragstone.evaluation.indexes import IndexBuilder, IndexCatalogue
from ragstone.evaluation.runs import RunFiles
from ragstone.observability import logger

settings = cache(read_settings)


def build(run_id: str) -> IndexBuilder:
    store, bucket = build_store(settings()), settings().reports_bucket
    return IndexBuilder(
        files=RunFiles(store, bucket, run_id),
        catalogue=IndexCatalogue(store=store, bucket=bucket, index=build_index_for),
        ingestion=build_ingestion,
    )


@logger.inject_lambda_context(clear_state=True)
def handler(event: dict[str, Any], context: LambdaContext) -> dict[str, str | bool]:
    """From `run_id`, `variant` and `cursor` to the same with the next cursor, and `done` once the index is complete."""
    step = build(event["run_id"]).build(event["variant"], event["cursor"], context.get_remaining_time_in_millis)
    logger.info("indexed", variant=event["variant"], cursor=step["cursor"], done=step["done"])
    return step
