"""The report step of an evaluation: sums up what was measured and says whether the gates hold."""

from __future__ import annotations

from functools import cache
from typing import Any

from aws_lambda_powertools.utilities.typing import LambdaContext

from ragstone.composition import build_store, read_settings
from ragstone.evaluation.reporter import Reporter
from ragstone.evaluation.runs import RunFiles
from ragstone.observability import logger

settings = cache(read_settings)


def build(run_id: str) -> Reporter:
    return Reporter(files=RunFiles(build_store(settings()), settings().reports_bucket, run_id))


@logger.inject_lambda_context(clear_state=True)
def handler(event: dict[str, Any], context: LambdaContext) -> dict[str, Any]:
    """From `run_id` to where the report is and whether the run passed."""
    reporter = build(event["run_id"])
    report = reporter.report()
    files = reporter.files
    return {
        "run_id": files.run_id,
        "report": f"s3://{files.bucket}/{files.key('report.json')}",
        "passed": report.passed,
    }
