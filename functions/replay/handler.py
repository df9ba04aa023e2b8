"""The replay function: dead letters back into the ingest queue, after what they failed on was mended."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import asdict
from functools import cache
from typing import Any

from aws_lambda_powertools.utilities.typing import LambdaContext

from ragstone.aws.dead_letters import DeadLetters, Replayed
from ragstone.composition import build_dead_letters
from ragstone.observability import logger
from ragstone.settings import Settings

RESERVE_MS = 10_000


@cache
def build() -> DeadLetters:
    return build_dead_letters(Settings.from_environment(os.environ))  # no model is called, so no key is fetched


@logger.inject_lambda_context
def handler(event: dict[str, Any], context: LambdaContext) -> dict[str, Any]:
    """Takes {"limit"?}; returns how many messages were moved, and those that were not."""
    moved, failed = 0, list[dict[str, Any]]()
    for replayed in _while_there_is_time(build().replay(limit=event.get("limit")), context):
        logger.info("replayed", **asdict(replayed))
        if replayed.error:
            failed.append(asdict(replayed))
        else:
            moved += 1
    return {"moved": moved, "failed": failed}


def _while_there_is_time(replayed: Iterator[Replayed], context: LambdaContext) -> Iterator[Replayed]:
    while context.get_remaining_time_in_millis() > RESERVE_MS and (one := next(replayed, None)):
        yield one
