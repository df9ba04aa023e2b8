"""The one place that makes the logger, the metrics and the tracer."""

from __future__ import annotations

from aws_lambda_powertools import Logger

logger = Logger(service="ragstone")
