"""Context recall, as ragas defines it."""

from __future__ import annotations

from ragstone.evaluation.metrics.base import ContextMetric, metrics


@metrics.register("context_recall")
class ContextRecall(ContextMetric):
    """The share of the reference's statements that the judge finds in the passages (ragas)."""

    ragas_class = "ContextRecall"
