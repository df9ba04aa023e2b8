"""Context precision, as ragas defines it."""

from __future__ import annotations

from ragstone.evaluation.metrics.base import ContextMetric, metrics


@metrics.register("context_precision")
class ContextPrecision(ContextMetric):
    """Average precision over the passages that the judge finds useful for the reference (ragas, with reference)."""

    ragas_class = "ContextPrecisionWithReference"
