"""Planning a run."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

import pytest

from ragstone.errors import SettingsError
from ragstone.evaluation.errors import InvalidEvaluation
from ragstone.evaluation.gold import GoldEntry, GoldItem
from ragstone.evaluation.indexes import IndexCatalogue
from ragstone.evaluation.planner import Planner
from ragstone.evaluation.runs import RunFiles
from ragstone.ports import ChatModel
from ragstone.settings import Settings
from ragstone.types import ObjectRef
from tests.support.evaluations import (
    DOCUMENTS,
    QUESTION,
    REPORTS,
    SETTINGS,
    UNANSWERABLE,
    CountingIndex,
    FakeAnswering,
    FakeIngestion,
    dataset,
    request,
    store_with_corpus,
)
from tests.support.fake_store import FakeStore
from tests.support.scripted_judge import ScriptedJudge

RUN = "20260301T020000Z-nightly-7"


@dataclass
class Setup:
    store: FakeStore = field(default_factory=store_with_corpus)
    index: CountingIndex = field(default_factory=CountingIndex)

    def plan(self, **changes: Any) -> dict[str, Any]:
        return self.planner().plan(request(**changes))

    def planner(self) -> Planner:
        return Planner(
            store=self.store,
            settings=SETTINGS,
            catalogue=IndexCatalogue(store=self.store, bucket=REPORTS, index=lambda _: self.index),
            ingestion=fake_ingestion,
            answering=lambda _: FakeAnswering(),
            judge=known_judge,
        )

    @property
    def files(self) -> RunFiles:
        return RunFiles(self.store, REPORTS, RUN)

    def lines(self, name: str) -> list[dict[str, Any]]:
        content = self.store.objects[ObjectRef(REPORTS, f"reports/{RUN}/{name}")]
        return [json.loads(line) for line in content.splitlines()]


def fake_ingestion(settings: Settings) -> FakeIngestion:
    if settings.chunker == "fractal":
        raise SettingsError("unknown chunker 'fractal'; known are recursive")
    return FakeIngestion(fingerprint=f"{settings.chunker}-{settings.chunk_size}")


def known_judge(spec: str) -> ChatModel:
    if spec != "scripted:judge":
        raise SettingsError(f"unknown provider in {spec!r}; known are scripted")
    return ScriptedJudge({})


@pytest.fixture
def setup() -> Setup:
    return Setup()


def problem_of(setup: Setup, **changes: Any) -> str:
    with pytest.raises(InvalidEvaluation) as raised:
        setup.plan(**changes)
    return str(raised.value)


def test_the_next_steps_are_named(setup: Setup) -> None:
    assert setup.plan() == {
        "run_id": RUN,
        "bucket": REPORTS,
        "manifest_key": f"reports/{RUN}/manifest.jsonl",
        "variants": [{"run_id": RUN, "variant": "base", "cursor": ""}],
    }


def test_the_manifest_has_every_question_of_every_variant_and_repeat(setup: Setup) -> None:
    setup.plan(variants=[{"name": "base"}, {"name": "five", "top_k": 5}], repeats=2)
    attempts = setup.lines("manifest.jsonl")
    assert attempts[0] == {"run_id": RUN, "variant": "base", "item_id": "fare", "repeat": 0}
    assert [(a["item_id"], a["repeat"], a["variant"]) for a in attempts] == [
        (item, repeat, variant) for item in ("fare", "moon") for repeat in (0, 1) for variant in ("base", "five")
    ]


def test_the_questions_are_frozen(setup: Setup) -> None:
    setup.plan()
    setup.store.put(REPORTS, "gold.jsonl", dataset(GoldItem("other", "Who?")))
    assert setup.files.items() == {"fare": QUESTION, "moon": UNANSWERABLE}


def test_the_plan_holds_all_that_later_steps_need(setup: Setup) -> None:
    setup.plan(variants=[{"name": "small", "chunk_size": 500}], git_sha="abc123", limit=1)
    plan = setup.files.plan()
    settings = plan.variant("small").settings
    assert (settings.chunk_size, settings.index_url) == (500, SETTINGS.index_url)
    assert settings.index_name.startswith(f"eval-{plan.variant('small').digest}-")
    assert (plan.deployment, plan.request.git_sha, plan.questions) == (SETTINGS, "abc123", 1)


def test_variants_that_index_alike_share_an_index_that_is_built_once(setup: Setup) -> None:
    variants = [{"name": "base"}, {"name": "five", "top_k": 5}, {"name": "small", "chunk_size": 500}]
    assert [step["variant"] for step in setup.plan(variants=variants)["variants"]] == ["base", "small"]
    names = [variant.settings.index_name for variant in setup.files.plan().variants]
    assert names[0] == names[1] != names[2]


def test_a_run_that_would_measure_the_same_is_resumed(setup: Setup) -> None:
    first = setup.plan(run_id="again", execution="one")
    assert setup.plan(run_id="again", execution="two", started_at="2026-03-02T00:00:00Z") == first
    assert RunFiles(setup.store, REPORTS, "again").plan().request.execution == "one"


@pytest.mark.parametrize("changes", [{"seed": 7}, {"variants": [{"name": "base", "top_k": 9}]}, {"repeats": 2}])
def test_a_run_that_measured_something_else_is_not_resumed(setup: Setup, changes: dict[str, Any]) -> None:
    setup.plan(run_id="again")
    assert "run again measured something else" in problem_of(setup, run_id="again", **changes)


@pytest.mark.parametrize(("bucket", "key"), [(DOCUMENTS, "inbox/fares.md"), (REPORTS, "gold.jsonl")])
def test_a_run_over_other_documents_or_questions_is_not_resumed(setup: Setup, bucket: str, key: str) -> None:
    setup.plan(run_id="again")
    setup.store.put(bucket, key, setup.store.objects[ObjectRef(bucket, key)] + b"\n")
    assert "Give this one another run_id" in problem_of(setup, run_id="again")


def test_a_missing_dataset_is_named(setup: Setup) -> None:
    assert "dataset s3://reports/none.jsonl is not there" in problem_of(setup, dataset="s3://reports/none.jsonl")


def test_a_corpus_without_documents_is_named(setup: Setup) -> None:
    assert "no documents under s3://documents/empty/" in problem_of(setup, corpus="s3://documents/empty")


def test_gold_of_a_document_that_is_not_there_is_named() -> None:
    lost = GoldItem("x", "Where?", gold=(GoldEntry("harbor.md"),))
    assert "not under s3://documents/inbox/: harbor.md" in problem_of(Setup(store_with_corpus(lost)))


def test_an_unknown_chunker_is_named_with_the_known_ones(setup: Setup) -> None:
    problem = problem_of(setup, variants=[{"name": "x", "chunker": "fractal"}])
    assert problem == "unknown chunker 'fractal'; known are recursive"


def test_an_unknown_judge_is_named_before_anything_is_spent(setup: Setup) -> None:
    problem = problem_of(setup, metrics=["faithfulness"], judge="nobody:x")
    assert problem == "unknown provider in 'nobody:x'; known are scripted"


def test_nothing_is_written_for_an_invalid_run(setup: Setup) -> None:
    before = dict(setup.store.objects)
    problem_of(setup, variants=[{"name": "x", "chunker": "fractal"}])
    assert setup.store.objects == before
