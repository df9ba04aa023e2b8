"""The reindex function: the steps from one index to the next, one a call, as the command asks for them."""

from __future__ import annotations

import time
from dataclasses import asdict
from functools import cache
from typing import Any, Literal

from aws_lambda_powertools.utilities.typing import LambdaContext
from pydantic import BaseModel, ConfigDict

from ragstone.composition import read_settings
from ragstone.deployment import build_coverage, build_steps, next_generation
from ragstone.errors import RagstoneError
from ragstone.generations.built_with import as_json
from ragstone.generations.steps import Steps
from ragstone.ingestion.reconcile import Position
from ragstone.observability import logger
from ragstone.settings import Settings


class Request(BaseModel):
    """`settings` are for `begin`, `name` for `swap`; `send` and `check` go on from `position` for about `seconds`."""

    model_config = ConfigDict(extra="forbid")

    step: Literal["status", "begin", "resume", "send", "check", "swap", "drop"]
    settings: dict[str, str] = {}
    name: str = ""
    position: Position = Position()
    seconds: float = 30


@cache
def build() -> tuple[Settings, Steps]:
    settings = read_settings()
    return settings, build_steps(settings)


@logger.inject_lambda_context
def handler(event: dict[str, Any], context: LambdaContext) -> dict[str, Any]:
    """Returns what the step came to, or {"error"}: a sentence on why it was not taken."""
    request = Request.model_validate(event)
    try:
        reply = take(request, *build())
    except RagstoneError as error:
        reply = {"error": str(error)}
    logger.info("reindex", step=request.step, reply=reply)
    return reply


def take(request: Request, deployed: Settings, steps: Steps) -> dict[str, Any]:
    match request.step:
        case "send" | "check":
            coverage, end = build_coverage(deployed, steps.generations()), time.monotonic() + request.seconds
            walk = coverage.send if request.step == "send" else coverage.check
            return asdict(walk(request.position, stop=lambda: time.monotonic() >= end))
        case "drop":
            dropped = steps.drop()
            return {"dropped": dropped and dropped.name}
        case "begin":
            return as_json(steps.begin(next_generation(deployed, request.settings)), deployed)
        case "swap":
            return as_json(steps.swap(request.name), deployed)
        case "status" | "resume":
            return as_json(steps.resume() if request.step == "resume" else steps.generations(), deployed)
