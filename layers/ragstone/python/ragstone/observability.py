"""The one place that makes the logger and the metrics."""

from __future__ import annotations

from aws_lambda_powertools import Logger, Metrics

logger = Logger(service="ragstone")
metrics = Metrics(namespace="Ragstone", service="ragstone")
