"""The plan step of an evaluation: checks its input and freezes what will be measured."""

from __future__ import annotations

from functools import cache
from typing import Any

from aws_lambda_powertools.utilities.typing import LambdaContext

from ragstone.composition import build_answering, build_index_for, build_ingestion, build_store, read_settings
from ragstone.evaluation.indexes import IndexCatalogue
from ragstone.evaluation.planner import Planner
from ragstone.models import build_chat_model
from ragstone.observability import logger


@cache
def build() -> Planner:
    settings = read_settings()
    store = build_store(settings)
    return Planner(
        store=store,
        settings=settings,
        catalogue=IndexCatalogue(store=store, bucket=settings.reports_bucket, index=build_index_for),
        ingestion=build_ingestion,
        answering=build_answering,
        judge=build_chat_model,
    )


@logger.inject_lambda_context(clear_state=True)
def handler(event: dict[str, Any], context: LambdaContext) -> dict[str, Any]:
    """From an evaluation's input to the run's id, its manifest and the variants whose index has to be built."""
    return build().plan(event)
