"""What a benchmark found; its JSON is this, field for field."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from pydantic import TypeAdapter

from ragstone.evaluation.report import LatencySummary, RefusalSummary
from ragstone.evaluation.table import aligned

BINS = 20


@dataclass(frozen=True, slots=True)
class ConfidenceSummary:
    """How well confidence tells answerable questions from others: `auc` is the chance that it ranks a pair rightly.

    The counts are of questions by confidence in BINS equal steps from 0 to 1. AUC is None unless there are both kinds.
    """

    auc: float | None
    answerable: tuple[int, ...]
    unanswerable: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class AnswerSummary:
    """Answers before refusals (as if every gate were open) and after them.

    `held_before` and `held_after` are shares of the answerable questions with a reference whose answer holds it, a
    refusal holding none. `quotations` is the share of given answers that are nothing but their citations' words.
    """

    held_before: float | None
    held_after: float | None
    quotations: float | None
    before: RefusalSummary
    after: RefusalSummary


@dataclass(frozen=True, slots=True)
class StrategyResult:
    """One strategy: means of the metrics over answerable questions with gold; `degraded` questions lacked some part."""

    metrics: Mapping[str, float]
    confidence: ConfidenceSummary
    latency_ms: Mapping[str, LatencySummary]
    degraded: int
    answers: AnswerSummary | None


@dataclass(frozen=True, slots=True)
class BenchmarkReport:
    """A benchmark of one or more strategies over one index."""

    passages: int
    questions: int
    answerable: int
    index: str
    embedder: str
    reranker: str
    calibration: str
    thresholds: Mapping[str, float]
    strategies: Mapping[str, StrategyResult]


_REPORT = TypeAdapter(BenchmarkReport)


def benchmark_json(report: BenchmarkReport) -> bytes:
    return _REPORT.dump_json(report, indent=2)


def benchmark_table(report: BenchmarkReport) -> str:
    """The report in aligned columns, a strategy each."""
    results = list(report.strategies.values())
    rows = [["", *report.strategies], *_rows(results)]
    title = f"{report.questions} questions ({report.answerable} answerable) over {report.passages} passages"
    return "\n".join([f"{title}; {report.index}, {report.embedder}", "", *aligned(rows)]) + "\n"


def _rows(results: list[StrategyResult]) -> Iterator[list[str]]:
    for name in results[0].metrics:
        yield [name, *(_number(result.metrics[name]) for result in results)]
    yield ["refusal AUC", *(_number(result.confidence.auc) for result in results)]
    for stage in dict.fromkeys(stage for result in results for stage in result.latency_ms):
        times = [result.latency_ms.get(stage) for result in results]
        yield [f"{stage} p50 / p95 ms", *(f"{time.p50:.1f} / {time.p95:.1f}" if time else "–" for time in times)]
    if any(result.degraded for result in results):
        yield ["degraded", *(str(result.degraded) for result in results)]
    answers = [result.answers for result in results if result.answers]
    if answers:
        yield from _answer_rows(answers)


def _answer_rows(answers: list[AnswerSummary]) -> Iterator[list[str]]:
    yield ["holds the reference, no refusals", *(_number(found.held_before) for found in answers)]
    yield ["holds the reference", *(_number(found.held_after) for found in answers)]
    yield ["nothing but quotations", *(_number(found.quotations) for found in answers)]
    for label, field in CONFUSION.items():
        yield [label, *(f"{getattr(found.before, field)} → {getattr(found.after, field)}" for found in answers)]
    for label, field in RATES.items():
        yield [label, *(_number(getattr(found.after, field)) for found in answers)]


CONFUSION = {
    "answerable, answered": "answered_answerable",
    "answerable, refused": "refused_answerable",
    "unanswerable, refused": "refused_unanswerable",
    "unanswerable, answered": "answered_unanswerable",
}
"""What a row says of a RefusalSummary's counts, and which one it is."""

RATES = {"false-answer rate": "false_answer_rate", "over-refusal rate": "over_refusal_rate"}


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"
