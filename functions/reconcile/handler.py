"""The reconcile function: bucket, registry and index side by side, by schedule or at the command's request."""

from __future__ import annotations

import time
from dataclasses import asdict
from functools import cache
from typing import Any

from aws_lambda_powertools.utilities.typing import LambdaContext
from pydantic import BaseModel, ConfigDict

from ragstone.composition import build_reconciliation, read_settings
from ragstone.ingestion.reconcile import Compared, Finding, Position, Reconciliation
from ragstone.observability import logger

RESERVE_MS = 60_000


class Request(BaseModel):
    """With `seconds`, one stretch is compared in about that time and its findings are returned; else all is."""

    model_config = ConfigDict(extra="forbid")

    fix: bool = False
    position: Position = Position()
    seconds: float | None = None


@cache
def build() -> Reconciliation:
    return build_reconciliation(read_settings())


@logger.inject_lambda_context
def handler(event: dict[str, Any], context: LambdaContext) -> dict[str, Any]:
    """Returns {"count", "findings", "position"}; a position says that there is more, and where to go on."""
    request, started = Request.model_validate(event), time.monotonic()

    def is_over() -> bool:
        spent = request.seconds is not None and time.monotonic() - started >= request.seconds
        return spent or context.get_remaining_time_in_millis() < RESERVE_MS

    position, count = request.position, 0
    while True:
        compared = build().compare(position, fix=request.fix, stop=is_over)
        count += compared.count
        _log(compared, fixed=request.fix)
        if compared.position is None or request.seconds is not None or is_over():
            return _reply(compared, count)
        position = compared.position


def _log(compared: Compared, *, fixed: bool) -> None:
    for finding in compared.findings:
        logger.warning("out of step", source=finding.source, problem=finding.problem, fixed=fixed)
    logger.info("compared", count=compared.count, findings=len(compared.findings), goes_on=compared.position)


def _reply(compared: Compared, count: int) -> dict[str, Any]:
    """The last stretch's findings: those before it are in the log."""
    return {
        "count": count,
        "findings": [_shown(finding) for finding in compared.findings],
        "position": asdict(compared.position) if compared.position else None,
    }


def _shown(finding: Finding) -> dict[str, str]:
    return {"source": finding.source, "problem": finding.problem, "message": finding.message}
