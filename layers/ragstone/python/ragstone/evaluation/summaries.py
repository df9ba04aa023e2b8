"""Sums up scores, refusals and times of one variant."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

from ragstone.evaluation.frames import groups
from ragstone.evaluation.report import LatencySummary, MetricSummary, RefusalSummary, TagSummary
from ragstone.evaluation.scores import ScoreStatus
from ragstone.evaluation.statistics import bootstrap_ci95

MISSING = [status.value for status in ScoreStatus if status.is_missing]


def summarise_metric(scores: pd.DataFrame, *, seed: int) -> MetricSummary:
    """One metric of one variant; a question's repeats are averaged first, since they are not independent."""
    values = scores[scores["status"] == ScoreStatus.OK]
    missing = scores[scores["status"].isin(MISSING)]
    by_item = values.groupby("item_id")["value"]
    per_item = by_item.mean()
    return MetricSummary(
        mean=_rounded(per_item.mean()),
        n=len(values),
        n_missing=len(missing),
        n_skipped=len(scores) - len(values) - len(missing),
        ci95=bootstrap_ci95(per_item.tolist(), seed=seed),
        repeat_sd=_rounded(by_item.std().mean()),
        missing={str(reason): int(count) for reason, count in missing["reason"].value_counts().items()},
        by_tag={tag: _tag(rows) for tag, rows in groups(scores.explode("tags").dropna(subset="tags"), "tags").items()},
    )


def summarise_refusals(answers: pd.DataFrame) -> RefusalSummary:
    """Refusal as a binary decision whose positive class is "unanswerable"."""
    refused, answerable = answers["refused"], answers["answerable"]
    right_refusals, wrong_refusals = int((refused & ~answerable).sum()), int((refused & answerable).sum())
    wrong_answers, right_answers = int((~refused & ~answerable).sum()), int((~refused & answerable).sum())
    precision = _ratio(right_refusals, right_refusals + wrong_refusals)
    recall = _ratio(right_refusals, right_refusals + wrong_answers)
    return RefusalSummary(
        answered_answerable=right_answers,
        answered_unanswerable=wrong_answers,
        refused_answerable=wrong_refusals,
        refused_unanswerable=right_refusals,
        precision=precision,
        recall=recall,
        f1=_ratio(2 * right_refusals, 2 * right_refusals + wrong_refusals + wrong_answers),
        false_answer_rate=_ratio(wrong_answers, wrong_answers + right_refusals),
        over_refusal_rate=_ratio(wrong_refusals, wrong_refusals + right_answers),
        by_reason={str(reason): int(count) for reason, count in answers["reason"].value_counts().items()},
    )


def summarise_latency(stages: pd.DataFrame) -> Mapping[str, LatencySummary]:
    """Percentiles by stage, linear between the two nearest attempts."""
    return {stage: _latency(rows["ms"]) for stage, rows in groups(stages, "stage").items()}


def _latency(ms: pd.Series[float]) -> LatencySummary:
    p50, p95, p99 = (round(float(ms.quantile(q)), 3) for q in (0.5, 0.95, 0.99))
    return LatencySummary(p50, p95, p99, len(ms))


def _tag(scores: pd.DataFrame) -> TagSummary:
    values = scores[scores["status"] == ScoreStatus.OK]
    mean = values.groupby("item_id")["value"].mean().mean()
    return TagSummary(_rounded(mean), len(values), int(scores["status"].isin(MISSING).sum()))


def _ratio(part: int, whole: int) -> float | None:
    return round(part / whole, 6) if whole else None


def _rounded(value: float) -> float | None:
    """pandas has NaN where there is nothing to average."""
    return None if pd.isna(value) else round(float(value), 6)
