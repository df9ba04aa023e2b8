"""A report as a plain text table for the terminal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ragstone.evaluation.report import Gate, MetricSummary, RefusalSummary, Report, VariantReport, report_of

GAP = "  "


def render(found: Mapping[str, Any]) -> str:
    """The contents of a report.json: metrics by variant, then refusals, latency, cost and gates, in aligned columns."""
    report = report_of(found)
    variants = list(report.variants.values())
    rows = [["", *report.variants], *_metric_rows(report), *_refusal_rows(variants), *_other_rows(variants)]
    return "\n".join([_title(report), "", *aligned(rows), "", *map(_gate, report.gates), _verdict(report)]) + "\n"


def _title(report: Report) -> str:
    run = report.run
    repeats = f" × {run.repeats} repeats" if run.repeats > 1 else ""
    return f"Run {run.run_id}: {run.questions} questions{repeats} over {run.corpus}"


def _metric_rows(report: Report) -> Iterator[list[str]]:
    variants = report.variants.values()
    for name in next(iter(variants)).metrics:
        yield [name, *(_metric(variant.metrics[name]) for variant in variants)]


def _metric(summary: MetricSummary) -> str:
    missing = f" ({summary.n_missing} missing)" if summary.n_missing else ""
    if summary.mean is None:
        return f"–{missing}"
    interval = f" [{summary.ci95[0]:.3f}, {summary.ci95[1]:.3f}]" if summary.ci95 else ""
    return f"{summary.mean:.3f}{interval}{missing}"


def _refusal_rows(variants: Sequence[VariantReport]) -> Iterator[list[str]]:
    def row(label: str, values: Iterator[float | None]) -> list[str]:
        return [label, *("–" if value is None else f"{value:.3f}" for value in values)]

    refusals: list[RefusalSummary] = [variant.refusal for variant in variants]
    yield row("refusal precision", (refusal.precision for refusal in refusals))
    yield row("refusal recall", (refusal.recall for refusal in refusals))
    yield row("false answers", (refusal.false_answer_rate for refusal in refusals))
    yield row("over-refusals", (refusal.over_refusal_rate for refusal in refusals))


def _other_rows(variants: Sequence[VariantReport]) -> Iterator[list[str]]:
    totals = [variant.latency_ms.get("total") for variant in variants]
    yield ["latency p50 / p95", *(f"{total.p50:.0f} / {total.p95:.0f} ms" if total else "–" for total in totals)]
    costs = [variant.answering.cost_usd for variant in variants]
    yield ["cost of answers", *("unknown" if cost is None else f"${cost:.4f}" for cost in costs)]
    if any(variant.errors for variant in variants):
        yield ["without an answer", *(f"{variant.errors} of {variant.attempts}" for variant in variants)]


def aligned(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for label, *cells in rows:
        numbers = [cell.rjust(width) for cell, width in zip(cells, widths[1:], strict=True)]
        yield GAP.join([label.ljust(widths[0]), *numbers]).rstrip()


def _gate(gate: Gate) -> str:
    found = "no value" if gate.value is None else f"{gate.value:.3f}"
    reason = f" ({gate.reason})" if gate.reason else ""
    return f"{'pass' if gate.passed else 'FAIL'}  {gate.metric} ≥ {gate.minimum:g}  {gate.variant}: {found}{reason}"


def _verdict(report: Report) -> str:
    if not report.gates:
        return "No gates were set."
    return "All gates hold." if report.passed else "The run failed its gates."
