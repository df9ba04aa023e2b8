"""Gates: minimum means that every variant has to reach for a run to pass."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ragstone.evaluation.report import Gate, MetricSummary, VariantReport

REFUSAL_GATES = ("refusal_precision", "refusal_recall", "refusal_f1")


def check_gates(minimums: Mapping[str, float], variants: Mapping[str, VariantReport]) -> Iterator[Gate]:
    """One gate a metric and variant."""
    for metric, minimum in minimums.items():
        for name, variant in variants.items():
            yield _check(metric, minimum, name, variant)


def _check(metric: str, minimum: float, name: str, variant: VariantReport) -> Gate:
    if metric in REFUSAL_GATES:
        value: float | None = getattr(variant.refusal, metric.removeprefix("refusal_"))
        reason = "there were no refusals to measure" if value is None else None
    else:
        value = variant.metrics[metric].mean
        reason = _gaps(variant.metrics[metric])
    return Gate(metric, minimum, name, value, passed=value is not None and value >= minimum, reason=reason)


def _gaps(summary: MetricSummary) -> str | None:
    """Why there is no mean, or over how little it is taken."""
    if not summary.missing:
        return None if summary.n else "it applies to none of the answers"
    commonest = next(iter(summary.missing))
    return f"{summary.n_missing} of {summary.n + summary.n_missing} values are missing, most because: {commonest}"
