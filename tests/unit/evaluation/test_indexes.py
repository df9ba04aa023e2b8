"""Building the indexes of variants, in steps, and finding them again."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

import pytest

from ragstone.errors import TransientError
from ragstone.evaluation.corpus import Corpus
from ragstone.evaluation.errors import CorpusChanged, InvalidEvaluation
from ragstone.evaluation.indexes import IndexBuilder, IndexCatalogue, digest_of
from ragstone.evaluation.planner import Planner
from ragstone.evaluation.runs import RunFiles
from tests.support.evaluations import (
    DOCUMENTS,
    REPORTS,
    SETTINGS,
    CountingIndex,
    FakeAnswering,
    FakeIngestion,
    request,
    store_with_corpus,
)
from tests.support.fake_store import FakeStore
from tests.support.scripted_judge import ScriptedJudge

HOUR_MS = 3_600_000


def always_time() -> int:
    return HOUR_MS


@dataclass
class Clock:
    """Milliseconds left, less with every look."""

    left: int
    step: int

    def __call__(self) -> int:
        self.left -= self.step
        return self.left


@dataclass
class Setup:
    store: FakeStore = field(default_factory=store_with_corpus)
    index: CountingIndex = field(default_factory=CountingIndex)
    ingestion: FakeIngestion = field(default_factory=FakeIngestion)

    @property
    def catalogue(self) -> IndexCatalogue:
        return IndexCatalogue(store=self.store, bucket=REPORTS, index=lambda _: self.index)

    def planned(self, run_id: str) -> str:
        """Plan a run; returns the name of its index."""
        Planner(
            store=self.store,
            settings=SETTINGS,
            catalogue=self.catalogue,
            ingestion=lambda _: self.ingestion,
            answering=lambda _: FakeAnswering(),
            judge=lambda _: ScriptedJudge({}),
        ).plan(request(run_id=run_id))
        return RunFiles(self.store, REPORTS, run_id).plan().variant("base").settings.index_name

    def builder(self, run_id: str) -> IndexBuilder:
        files = RunFiles(self.store, REPORTS, run_id)
        return IndexBuilder(files=files, catalogue=self.catalogue, ingestion=lambda _: self.ingestion)

    def marker(self) -> dict[str, Any]:
        [place] = [place for place in self.store.objects if place.key.startswith("indexes/")]
        return json.loads(self.store.objects[place])


@pytest.fixture
def setup() -> Setup:
    return Setup()


def test_all_documents_are_indexed_and_the_index_is_marked_as_complete(setup: Setup) -> None:
    name = setup.planned("one")
    step = setup.builder("one").build("base", "", always_time)
    assert step == {"run_id": "one", "variant": "base", "cursor": "", "done": True}
    assert setup.ingestion.keys == ["inbox/bicycles.md", "inbox/fares.md"]
    assert setup.marker() == {"index_name": name, "run_id": "one", "chunks": 3, "documents": {"indexed": 2}}


def test_rejected_documents_are_counted(setup: Setup) -> None:
    setup.ingestion.rejected = frozenset({"inbox/fares.md"})
    setup.planned("one")
    setup.builder("one").build("base", "", always_time)
    assert setup.marker()["documents"] == {"indexed": 1, "rejected": 1}


def test_short_time_is_carried_over_to_another_step(setup: Setup) -> None:
    setup.planned("one")
    step = setup.builder("one").build("base", "", Clock(left=21_000, step=6_000))
    assert step == {"run_id": "one", "variant": "base", "cursor": "inbox/bicycles.md", "done": False}
    assert not [place for place in setup.store.objects if place.key.startswith("indexes/")]
    assert setup.builder("one").build("base", str(step["cursor"]), always_time)["done"]
    assert setup.marker()["documents"] == {"indexed": 2}


def test_no_time_at_all_still_indexes_one_document(setup: Setup) -> None:
    setup.planned("one")
    step = setup.builder("one").build("base", "", lambda: 0)
    assert (step["cursor"], step["done"]) == ("inbox/bicycles.md", False)


def test_a_step_that_broke_off_is_repeated_without_indexing_twice(setup: Setup) -> None:
    setup.planned("one")
    setup.builder("one").build("base", "", lambda: 0)
    setup.ingestion.failures = [TransientError("throttled")]
    with pytest.raises(TransientError):
        setup.builder("one").build("base", "inbox/bicycles.md", always_time)
    assert setup.builder("one").build("base", "", always_time)["done"]
    assert setup.ingestion.keys == ["inbox/bicycles.md", "inbox/fares.md"]
    assert setup.marker()["documents"] == {"skipped": 1, "indexed": 1}


def test_a_later_run_over_the_same_documents_reuses_the_index(setup: Setup) -> None:
    first = setup.planned("one")
    setup.builder("one").build("base", "", always_time)
    assert setup.planned("two") == first
    setup.ingestion.applied.clear()
    assert setup.builder("two").build("base", "", always_time)["done"]
    assert setup.ingestion.applied == []


def test_an_index_that_was_never_completed_is_not_reused(setup: Setup) -> None:
    first = setup.planned("one")
    setup.builder("one").build("base", "", lambda: 0)
    assert setup.planned("two") != first


def test_an_index_that_has_lost_chunks_is_not_reused(setup: Setup) -> None:
    first = setup.planned("one")
    setup.builder("one").build("base", "", always_time)
    setup.index.chunks = 0
    assert setup.planned("two") != first


@pytest.mark.parametrize("key", ["inbox/fares.md", "inbox/new.md", "inbox/fares.md.metadata.json"])
def test_a_changed_corpus_gets_another_index(setup: Setup, key: str) -> None:
    first = setup.planned("one")
    setup.builder("one").build("base", "", always_time)
    setup.store.put(DOCUMENTS, key, "something else")
    assert setup.planned("two") != first


def test_documents_that_change_while_they_are_indexed_leave_no_index(setup: Setup) -> None:
    setup.planned("one")
    step = setup.builder("one").build("base", "", lambda: 0)
    setup.store.put(DOCUMENTS, "inbox/bicycles.md", "Bicycles cost 2 euros.")
    with pytest.raises(CorpusChanged, match="Start a new run, or evaluate a folder that stays as it is"):
        setup.builder("one").build("base", str(step["cursor"]), always_time)
    assert not [place for place in setup.store.objects if place.key.startswith("indexes/")]


def test_an_unknown_variant_lists_the_known_ones(setup: Setup) -> None:
    setup.planned("one")
    with pytest.raises(InvalidEvaluation, match="run one has no variant 'bse'; it has base"):
        setup.builder("one").build("bse", "", always_time)


def test_a_run_that_was_never_planned_says_so(setup: Setup) -> None:
    with pytest.raises(InvalidEvaluation, match="start with the plan step"):
        setup.builder("none").build("base", "", always_time)


def test_a_digest_depends_on_settings_place_and_state() -> None:
    digests = {
        digest_of("a", Corpus("b", "c/"), "d"),
        digest_of("x", Corpus("b", "c/"), "d"),
        digest_of("a", Corpus("x", "c/"), "d"),
        digest_of("a", Corpus("b", "x/"), "d"),
        digest_of("a", Corpus("b", "c/"), "x"),
    }
    assert len(digests) == 5
