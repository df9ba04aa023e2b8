"""The report of a run."""

from __future__ import annotations

import json
from typing import Any

import pytest

from ragstone.evaluation.report import report_of
from ragstone.evaluation.runs import RunFiles
from ragstone.types import ObjectRef
from tests.support.evaluations import REPORTS
from tests.support.fake_store import FakeStore
from tests.support.reports import measured, reported, reporter


def read(files: RunFiles, name: str) -> bytes:
    stored = files.store.read(ObjectRef(REPORTS, f"reports/run/{name}"))
    assert stored is not None
    return stored.content


@pytest.fixture(scope="module")
def files() -> RunFiles:
    files = measured(FakeStore())
    reporter(files).report()
    return files


@pytest.fixture(scope="module")
def written(files: RunFiles) -> dict[str, Any]:
    return json.loads(read(files, "report.json"))


def test_the_run_is_described(written: dict[str, Any]) -> None:
    run = written["run"]
    assert (run["run_id"], run["git_sha"], run["execution"], run["seed"], run["questions"]) == (
        "run",
        "abc123",
        "nightly-7",
        0,
        4,
    )
    assert (run["started_at"], run["finished_at"]) == ("2026-03-01T02:00:00Z", "2026-03-01T02:05:00Z")
    assert run["deployment"]["chunk_size"] == 1000


def test_metrics_are_summed_up_by_variant(written: dict[str, Any]) -> None:
    base, small = written["variants"]["base"], written["variants"]["small"]
    assert (base["metrics"]["mrr"]["mean"], small["metrics"]["mrr"]["mean"]) == (0.5, pytest.approx(5 / 6, abs=1e-6))
    assert base["metrics"]["mrr"]["by_tag"] == {"fares": {"mean": 1.0, "n": 1, "n_missing": 0}}
    assert base["retrieval"] == {"mrr": 0.5}
    assert small["changes"] == {"chunk_size": 400}


def test_an_attempt_without_a_result_is_missed_in_every_metric(written: dict[str, Any]) -> None:
    base = written["variants"]["base"]
    assert (base["attempts"], base["errors"]) == (4, 1)
    assert (base["metrics"]["mrr"]["n_missing"], base["metrics"]["rouge_l"]["n_missing"]) == (1, 2)
    assert list(base["metrics"]["mrr"]["missing"]) == ["no answer: its evaluation failed or never started"]


def test_refusals_latency_and_tokens_are_there(written: dict[str, Any]) -> None:
    small = written["variants"]["small"]
    assert (small["refusal"]["refused_unanswerable"], small["refusal"]["over_refusal_rate"]) == (1, 0.0)
    assert small["latency_ms"] == {"total": {"p50": 10.0, "p95": 10.0, "p99": 10.0, "n": 4}}
    assert small["answering"] == {"tokens": {"own:model": {"input": 400, "output": 40, "calls": 4}}, "cost_usd": None}
    assert small["judging"]["tokens"] == {"own:judge": {"input": 2000, "output": 200, "calls": 4}}


def test_variants_are_compared(written: dict[str, Any]) -> None:
    by_metric = {comparison["metric"]: comparison for comparison in written["comparisons"]}
    mrr = by_metric["mrr"]
    assert (mrr["n"], mrr["difference"], mrr["wins"], mrr["ties"], mrr["p_value"]) == (3, 0.333333, 2, 1, 0.5)


def test_one_variant_below_the_gate_fails_the_run(written: dict[str, Any]) -> None:
    assert [(gate["variant"], gate["passed"]) for gate in written["gates"]] == [("base", False), ("small", True)]
    assert written["passed"] is False


def test_a_run_without_gates_passes() -> None:
    assert reported(gates={}).passed


def test_every_attempt_is_a_line(files: RunFiles) -> None:
    lines = [json.loads(line) for line in read(files, "items.jsonl").splitlines()]
    assert [(line["item_id"], line["variant"]) for line in lines] == [
        (item, variant) for item in ("a", "b", "c", "moon") for variant in ("base", "small")
    ]
    assert [line["status"] for line in lines if line["answer"] is None] == ["error"]


def test_no_value_in_the_report_is_not_a_number(files: RunFiles) -> None:
    for name in ("report.json", "items.jsonl"):
        assert b"NaN" not in read(files, name)


def test_a_written_report_reads_back(files: RunFiles, written: dict[str, Any]) -> None:
    assert report_of(written) == reporter(files).report()
