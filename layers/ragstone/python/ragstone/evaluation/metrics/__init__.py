"""The metrics by name, one a file; importing this package registers them all."""

from ragstone.evaluation.metrics import (
    context_precision,
    context_recall,
    factual_correctness,
    faithfulness,
    hit,
    mrr,
    ndcg,
    recall,
    rouge_l,
    section_hit,
    semantic_similarity,
    string_similarity,
)
from ragstone.evaluation.metrics.base import Case, Metric, MetricKind, build_metrics, metrics, parse_metric

__all__ = [
    "Case",
    "Metric",
    "MetricKind",
    "build_metrics",
    "context_precision",
    "context_recall",
    "factual_correctness",
    "faithfulness",
    "hit",
    "metrics",
    "mrr",
    "ndcg",
    "parse_metric",
    "recall",
    "rouge_l",
    "section_hit",
    "semantic_similarity",
    "string_similarity",
]
