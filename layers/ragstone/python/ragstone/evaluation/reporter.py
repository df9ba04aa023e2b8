"""The last step of a run: reads what was measured and writes the report."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime

import ragstone
from ragstone.evaluation.comparison import compare_variants
from ragstone.evaluation.frames import Frames
from ragstone.evaluation.gates import check_gates
from ragstone.evaluation.history import History
from ragstone.evaluation.html import render_html
from ragstone.evaluation.metrics import MetricKind, parse_metric
from ragstone.evaluation.report import MetricSummary, Report, RunSummary, VariantReport, report_json
from ragstone.evaluation.results import ItemResult, ItemStatus
from ragstone.evaluation.runs import JSON_LINES, RunFiles, RunPlan, VariantPlan, result_line
from ragstone.evaluation.summaries import summarise_latency, summarise_metric, summarise_refusals
from ragstone.evaluation.usage import Ledger

NOT_EVALUATED = "its evaluation failed or never started"


@dataclass(slots=True)
class _Tally:
    """What is counted of one variant while its results pass by."""

    attempts: int = 0
    errors: int = 0
    answering: Ledger = field(default_factory=Ledger)
    judging: Ledger = field(default_factory=Ledger)

    def count(self, result: ItemResult) -> None:
        self.attempts += 1
        self.errors += result.status is ItemStatus.ERROR
        self.answering.add(result.answer.usage if result.answer else ())
        self.judging.add(result.judge_usage)


@dataclass(slots=True)
class _Reading:
    """Passes a run's results on one at a time, counting them and keeping each as a line for items.jsonl."""

    files: RunFiles
    plan: RunPlan
    lines: list[bytes] = field(default_factory=list[bytes])
    tallies: dict[str, _Tally] = field(default_factory=dict[str, _Tally])

    def results(self) -> Iterator[ItemResult]:
        items = self.files.items()
        for attempt in self.plan.attempts(items.values()):
            result = self.files.read_result(attempt) or ItemResult.unanswered(
                attempt, items[attempt.item_id], error=NOT_EVALUATED, metrics=self.plan.request.metrics
            )
            self.lines.append(result_line(result))
            self.tallies.setdefault(attempt.variant, _Tally()).count(result)
            yield result


@dataclass(frozen=True, slots=True, kw_only=True)
class Reporter:
    """Writes report.json, report.html and items.jsonl of a run and enters it in the list of runs."""

    files: RunFiles
    clock: Callable[[], datetime] = lambda: datetime.now(UTC)

    def report(self) -> Report:
        plan = self.files.plan()
        reading = _Reading(self.files, plan)
        frames = Frames.of(reading.results())
        report = _report(plan, frames, reading.tallies, self.clock())
        self.files.write("items.jsonl", b"".join(reading.lines), JSON_LINES)
        self.files.write("report.html", render_html(report).encode(), "text/html; charset=utf-8")
        self.files.write("report.json", report_json(report))
        History(self.files.store, self.files.bucket).add(report, self.files.key("report.json"))
        return report


def _report(plan: RunPlan, frames: Frames, tallies: Mapping[str, _Tally], finished_at: datetime) -> Report:
    variants = {variant.name: _variant(plan, variant, frames, tallies[variant.name]) for variant in plan.variants}
    gates = tuple(check_gates(plan.request.gates, variants))
    return Report(
        run=_run(plan, finished_at),
        variants=variants,
        comparisons=tuple(compare_variants(frames.scores, list(variants), seed=plan.request.seed)),
        gates=gates,
        passed=all(gate.passed for gate in gates),
    )


def _variant(plan: RunPlan, variant: VariantPlan, frames: Frames, tally: _Tally) -> VariantReport:
    own = frames.of_variant(variant.name)
    metrics = {
        name: summarise_metric(own.scores[own.scores["metric"] == name], seed=plan.request.seed)
        for name in plan.request.metrics
    }
    return VariantReport(
        changes=next(asked.changes for asked in plan.request.variants if asked.name == variant.name),
        index_name=variant.settings.index_name,
        attempts=tally.attempts,
        errors=tally.errors,
        metrics=metrics,
        retrieval=_retrieval(metrics),
        refusal=summarise_refusals(own.answers),
        latency_ms=summarise_latency(own.stages),
        answering=tally.answering.summary(),
        judging=tally.judging.summary(),
    )


def _retrieval(metrics: Mapping[str, MetricSummary]) -> dict[str, float | None]:
    kinds = {name: parse_metric(name).metric.kind for name in metrics}
    return {name: metrics[name].mean for name, kind in kinds.items() if kind is MetricKind.RETRIEVAL}


def _run(plan: RunPlan, finished_at: datetime) -> RunSummary:
    request = plan.request
    return RunSummary(
        run_id=plan.run_id,
        execution=request.execution,
        git_sha=request.git_sha,
        ragstone=ragstone.__version__,
        started_at=request.started_at,
        finished_at=finished_at,
        dataset=request.dataset,
        dataset_etag=plan.dataset_etag,
        corpus=plan.corpus.uri,
        corpus_state=plan.corpus_state,
        questions=plan.questions,
        limit=request.limit,
        seed=request.seed,
        repeats=request.repeats,
        judge=request.judge,
        similarity_embedder=plan.deployment.embedder,
        deployment=plan.deployment,
    )
