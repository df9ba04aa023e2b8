"""What a report says; `report.json` is this, field for field."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from pydantic import TypeAdapter

from ragstone.settings import Settings


@dataclass(frozen=True, slots=True)
class TagSummary:
    """A metric over the questions with one tag."""

    mean: float | None
    n: int
    n_missing: int


@dataclass(frozen=True, slots=True)
class MetricSummary:
    """A metric over a variant's attempts: `mean` of the `n` values that there are, each question counting once.

    `n_missing` values should be there and are not (undefined or failed, by `missing` reason); `n_skipped` attempts
    are ones to which the metric doesn't apply. `ci95` is over questions, `repeat_sd` the mean standard deviation
    between a question's repeats.
    """

    mean: float | None
    n: int
    n_missing: int
    n_skipped: int
    ci95: tuple[float, float] | None
    repeat_sd: float | None
    missing: Mapping[str, int]
    by_tag: Mapping[str, TagSummary]


@dataclass(frozen=True, slots=True)
class RefusalSummary:
    """Refusing as a decision: right for unanswerable questions, wrong for answerable ones; attempts that failed aside.

    `false_answer_rate` is the share of unanswerable questions that were answered, `over_refusal_rate` the share of
    answerable ones that were refused. A rate of nothing is None.
    """

    answered_answerable: int
    answered_unanswerable: int
    refused_answerable: int
    refused_unanswerable: int
    precision: float | None
    recall: float | None
    f1: float | None
    false_answer_rate: float | None
    over_refusal_rate: float | None
    by_reason: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class LatencySummary:
    """Milliseconds of one stage over the `n` attempts that ran it."""

    p50: float
    p95: float
    p99: float
    n: int


@dataclass(frozen=True, slots=True)
class TokenCount:
    input: int
    output: int
    calls: int


@dataclass(frozen=True, slots=True)
class UsageSummary:
    """Tokens by model and US dollars in all; None as soon as one call has no known price."""

    tokens: Mapping[str, TokenCount]
    cost_usd: float | None


@dataclass(frozen=True, slots=True)
class VariantReport:
    """One variant: `changes` are the settings in which it differs from the deployment.

    `retrieval` repeats the means of the retrieval metrics, which are in `metrics` in full.
    """

    changes: Mapping[str, object]
    index_name: str
    attempts: int
    errors: int
    metrics: Mapping[str, MetricSummary]
    retrieval: Mapping[str, float | None]
    refusal: RefusalSummary
    latency_ms: Mapping[str, LatencySummary]
    answering: UsageSummary
    judging: UsageSummary


@dataclass(frozen=True, slots=True)
class Regression:
    """A question on which the challenger does worse."""

    item_id: str
    baseline: float
    challenger: float


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two variants on one metric over the `n` questions for which both have a value.

    `difference` is challenger minus baseline, `p_value` that of a paired permutation test. All comparisons of a report
    are listed: among twenty, one p below 0.05 is to be expected by chance.
    """

    metric: str
    baseline: str
    challenger: str
    n: int
    difference: float
    p_value: float
    wins: int
    ties: int
    losses: int
    regressions: tuple[Regression, ...]


@dataclass(frozen=True, slots=True)
class Gate:
    """A minimum that one variant's mean has to reach; without a mean it fails. `reason` says what is missing."""

    metric: str
    minimum: float
    variant: str
    value: float | None
    passed: bool
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class RunSummary:
    """What was run, when, and on what; `deployment` are the settings that variants start from."""

    run_id: str
    execution: str
    git_sha: str | None
    ragstone: str
    started_at: datetime
    finished_at: datetime
    dataset: str
    dataset_etag: str
    corpus: str
    corpus_state: str
    questions: int
    limit: int | None
    seed: int
    repeats: int
    judge: str | None
    similarity_embedder: str
    deployment: Settings


@dataclass(frozen=True, slots=True)
class Report:
    """A whole run; it passed if every gate holds for every variant."""

    run: RunSummary
    variants: Mapping[str, VariantReport]
    comparisons: tuple[Comparison, ...]
    gates: tuple[Gate, ...]
    passed: bool


_REPORT = TypeAdapter(Report)


def report_json(report: Report) -> bytes:
    return _REPORT.dump_json(report, indent=2)


def report_of(found: Mapping[str, Any]) -> Report:
    """The report that a decoded report.json holds."""
    return _REPORT.validate_python(found)
