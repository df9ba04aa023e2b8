"""The four functions of an evaluation, run one after the other as the state machine does."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from functions.eval import build, evaluate, plan, report
from ragstone.evaluation.errors import InvalidEvaluation
from ragstone.settings import Settings
from ragstone.types import ObjectRef
from tests.support.evaluations import (
    ANSWER,
    QUESTION,
    REPORTS,
    SETTINGS,
    CountingIndex,
    FakeAnswering,
    FakeIngestion,
    store_with_corpus,
)
from tests.support.events import load
from tests.support.fake_embedder import FakeEmbedder
from tests.support.fake_store import FakeStore
from tests.support.lambda_context import CONTEXT

RUN = "20260301T020000Z-nightly-7"


@pytest.fixture
def store(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeStore]:
    """The functions' parts, of which only the outermost are fakes."""
    store, ingestions = store_with_corpus(), dict[str, FakeIngestion]()

    def ingestion(settings: Settings) -> FakeIngestion:
        fingerprint = f"size-{settings.chunk_size}"
        return ingestions.setdefault(f"{settings.index_name}/{fingerprint}", FakeIngestion(fingerprint))

    fakes = {
        "read_settings": lambda: SETTINGS,
        "settings": lambda: SETTINGS,
        "build_store": lambda settings: store,
        "build_ingestion": ingestion,
        "build_index_for": lambda settings: CountingIndex(),
        "build_embedder_for": lambda settings: FakeEmbedder(),
        "build_answering": lambda settings: FakeAnswering({QUESTION.question: ANSWER}),
    }
    for module in (plan, build, evaluate, report):
        for name in fakes.keys() & vars(module).keys():
            monkeypatch.setattr(module, name, fakes[name])
    yield store
    evaluate.runner().close()
    for cached in (plan.build, evaluate.build, evaluate.runner):
        cached.cache_clear()


def lines(store: FakeStore, key: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in store.objects[ObjectRef(REPORTS, key)].splitlines()]


def run_all(event: dict[str, Any], store: FakeStore) -> dict[str, Any]:
    planned = plan.handler(event, CONTEXT)
    for step in planned["variants"]:
        assert build.handler(step, CONTEXT)["done"]
    for attempt in lines(store, planned["manifest_key"]):
        assert evaluate.handler(attempt, CONTEXT) == {**attempt, "status": "ok"}
    return report.handler({"run_id": planned["run_id"]}, CONTEXT)


def test_an_evaluation_ends_in_a_report(store: FakeStore) -> None:
    outcome = run_all(load("eval_plan"), store)
    assert outcome == {"run_id": RUN, "report": f"s3://{REPORTS}/reports/{RUN}/report.json", "passed": True}
    found = json.loads(store.objects[ObjectRef(REPORTS, f"reports/{RUN}/report.json")])
    assert list(found["variants"]) == ["base", "small"]
    small = found["variants"]["small"]
    assert {name: summary["mean"] for name, summary in small["metrics"].items()} == {
        "hit@5": 1.0,
        "recall@5": 1.0,
        "mrr": 1.0,
        "ndcg@5": 1.0,
        "rouge_l": pytest.approx(2 / 3, abs=1e-6),
    }
    assert (small["refusal"]["f1"], small["refusal"]["over_refusal_rate"]) == (1.0, 0.0)


def test_a_run_that_misses_a_gate_says_so(store: FakeStore) -> None:
    assert run_all({**load("eval_plan"), "gates": {"rouge_l": 0.9}}, store)["passed"] is False


def test_steps_take_the_events_that_the_state_machine_sends(store: FakeStore) -> None:
    plan.handler(load("eval_plan"), CONTEXT)
    assert build.handler(load("eval_build"), CONTEXT) == {**load("eval_build"), "done": True}
    assert evaluate.handler(load("eval_evaluate"), CONTEXT) == {**load("eval_evaluate"), "status": "ok"}
    assert report.handler(load("eval_report"), CONTEXT)["run_id"] == RUN


def test_a_variant_is_asked_with_its_own_index(store: FakeStore) -> None:
    plan.handler(load("eval_plan"), CONTEXT)
    planned = json.loads(store.objects[ObjectRef(REPORTS, f"reports/{RUN}/run.json")])
    names = [variant["settings"]["index_name"] for variant in planned["variants"]]
    assert len(set(names)) == 2
    assert all(name.startswith("eval-") for name in names)


def test_a_wrong_input_is_refused(store: FakeStore) -> None:
    with pytest.raises(InvalidEvaluation, match="unknown metric 'bleu'"):
        plan.handler({**load("eval_plan"), "metrics": ["bleu"]}, CONTEXT)
