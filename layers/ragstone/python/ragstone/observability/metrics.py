"""Metrics that CloudWatch reads from the log: one line of its Embedded Metric Format for each thing that happened."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from aws_lambda_powertools.metrics import EphemeralMetrics, MetricUnit

NAMESPACE = "Ragstone"


class Measured(NamedTuple):
    name: str
    value: float
    unit: MetricUnit = MetricUnit.Count


def publish(environment: str, measured: Iterable[Measured]) -> None:
    """Write them to standard output; each call has metrics of its own, so answers side by side don't mix."""
    metrics = EphemeralMetrics(namespace=NAMESPACE)
    metrics.add_dimension("environment", environment)
    for name, value, unit in measured:
        metrics.add_metric(name, unit, value)
    metrics.flush_metrics()
