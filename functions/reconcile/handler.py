"""The reconcile function: bucket, registry and index side by side, by schedule or at the command's request."""

from __future__ import annotations

import time
from dataclasses import asdict
from functools import cache
from typing import Any

from aws_lambda_powertools.utilities.typing import LambdaContext
from pydantic import BaseModel, ConfigDict

from ragstone.composition import build_reconciliation, read_settings
from ragstone.deployment import live_generation, settings_for
from ragstone.ingestion.reconcile import Compared, Position, Reconciliation
from ragstone.observability import logger

RESERVE_MS = 60_000


class Request(BaseModel):
    """With `seconds`, one stretch is compared in about that time; else all is."""

    model_config = ConfigDict(extra="forbid")

    fix: bool = False
    position: Position = Position()
    seconds: float | None = None


deployed_settings = cache(read_settings)


def build() -> Reconciliation:
    """Of the index that is live now."""
    deployed = deployed_settings()
    return build_reconciliation(settings_for(live_generation(deployed), deployed))


@logger.inject_lambda_context
def handler(event: dict[str, Any], context: LambdaContext) -> dict[str, Any]:
    """Returns the count, the last stretch's findings, and the position to go on from if there is more."""
    request, started = Request.model_validate(event), time.monotonic()

    def is_over() -> bool:
        spent = request.seconds is not None and time.monotonic() - started >= request.seconds
        return spent or context.get_remaining_time_in_millis() < RESERVE_MS

    reconciliation, position, count = build(), request.position, 0
    while True:
        compared = reconciliation.compare(position, fix=request.fix, stop=is_over)
        findings, count = _logged(compared, fixed=request.fix), count + compared.count
        if compared.position is None or request.seconds is not None or is_over():
            return {"count": count, "findings": findings, "position": compared.position and asdict(compared.position)}
        position = compared.position


def _logged(compared: Compared, *, fixed: bool) -> list[dict[str, str]]:
    for each in compared.findings:
        logger.warning("out of step", source=each.source, problem=each.problem, fixed=fixed)
    logger.info("compared", count=compared.count, findings=len(compared.findings), goes_on=compared.position)
    return [{"source": f.source, "problem": f.problem, "message": f.message} for f in compared.findings]
