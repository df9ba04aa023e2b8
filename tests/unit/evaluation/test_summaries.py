"""Summing up one variant."""

from __future__ import annotations

import pytest

from ragstone.evaluation.frames import Frames
from ragstone.evaluation.report import LatencySummary, MetricSummary, RefusalSummary, TagSummary
from ragstone.evaluation.results import ItemResult
from ragstone.evaluation.scores import Score
from ragstone.evaluation.summaries import summarise_latency, summarise_metric, summarise_refusals
from tests.support.evaluations import REFUSAL, result


def summary(*results: ItemResult) -> MetricSummary:
    return summarise_metric(Frames.of(results).scores, seed=0)


def refusals(*results: ItemResult) -> RefusalSummary:
    return summarise_refusals(Frames.of(results).answers)


def test_a_mean_is_over_the_values_that_there_are() -> None:
    found = summary(
        result(1.0, item="a"),
        result(0.5, item="b"),
        result(Score.undefined("the judge returned no claims"), item="c"),
        result(Score.undefined("the judge returned no claims"), item="d"),
        result(Score.error("too late"), item="e"),
        result(Score.skipped("refused"), item="f"),
        result(None, item="g"),
    )
    assert (found.mean, found.n, found.n_missing, found.n_skipped) == (0.75, 2, 4, 1)
    assert found.missing == {"the judge returned no claims": 2, "too late": 1, "no answer: the model is unknown": 1}


def test_without_any_value_there_is_no_mean() -> None:
    found = summary(result(Score.skipped("refused")), result(None, item="b"))
    assert (found.mean, found.ci95, found.n) == (None, None, 0)


def test_a_question_counts_once_however_often_it_was_repeated() -> None:
    found = summary(
        result(1.0, item="a", repeat=0),
        result(1.0, item="a", repeat=1),
        result(0.0, item="a", repeat=2),
        result(0.0, item="b"),
    )
    assert found.mean == pytest.approx(1 / 3, abs=1e-6)
    assert found.n == 4


def test_the_spread_between_repeats_is_averaged() -> None:
    """The sample standard deviation of 0 and 1 is √½, of 1 and 1 it is 0."""
    repeats = [
        result(value, item=item, repeat=n)
        for item, values in (("a", (0, 1)), ("b", (1, 1)))
        for n, value in enumerate(values)
    ]
    assert summary(*repeats).repeat_sd == pytest.approx(0.5**0.5 / 2, abs=1e-6)


def test_without_repeats_there_is_no_spread_between_them() -> None:
    assert summary(result(1.0, item="a"), result(0.0, item="b")).repeat_sd is None


def test_every_tag_of_an_item_counts_it() -> None:
    found = summary(
        result(1.0, item="a", tags=("fares", "en")),
        result(0.0, item="b", tags=("en",)),
        result(None, item="c", tags=("fares",)),
        result(1.0, item="d"),
    )
    assert found.by_tag == {"fares": TagSummary(1.0, 1, 1), "en": TagSummary(0.5, 2, 0)}


def test_refusals_as_a_decision() -> None:
    """3 right refusals, 1 wrong one, 2 false answers, 4 right answers."""
    found = refusals(
        *(result(Score.skipped("s"), item=f"a{n}", answerable=False, refusal=REFUSAL) for n in range(3)),
        result(Score.skipped("s"), item="b", refusal=REFUSAL),
        *(result(0.0, item=f"c{n}", answerable=False) for n in range(2)),
        *(result(1.0, item=f"d{n}") for n in range(4)),
        result(None, item="failed"),
    )
    assert (found.refused_unanswerable, found.refused_answerable) == (3, 1)
    assert (found.answered_unanswerable, found.answered_answerable) == (2, 4)
    assert (found.precision, found.recall) == (0.75, 0.6)
    assert found.f1 == pytest.approx(2 * 0.75 * 0.6 / 1.35, abs=1e-6)
    assert (found.false_answer_rate, found.over_refusal_rate) == (0.4, 0.2)
    assert found.by_reason == {"no_evidence": 4}


def test_rates_of_nothing_are_none() -> None:
    found = refusals(result(1.0))
    assert (found.precision, found.recall, found.f1, found.false_answer_rate) == (None, None, None, None)
    assert found.over_refusal_rate == 0.0


def test_a_run_without_any_answer_has_no_refusals() -> None:
    found = refusals(result(None))
    assert (found.answered_answerable, found.over_refusal_rate, found.by_reason) == (0, None, {})


def test_latency_by_stage() -> None:
    results = [result(1.0, item=str(ms), stages_ms={"retrieve": ms, "total": 2 * ms}) for ms in range(1, 102)]
    frames = Frames.of([*results, result(None)])
    assert summarise_latency(frames.stages) == {
        "retrieve": LatencySummary(p50=51.0, p95=96.0, p99=100.0, n=101),
        "total": LatencySummary(p50=102.0, p95=192.0, p99=200.0, n=101),
    }
