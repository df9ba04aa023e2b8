"""The files of a run."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragstone.evaluation.results import Attempt, ItemResult
from ragstone.evaluation.runs import RunFiles, safe_name
from ragstone.evaluation.scores import Score
from ragstone.types import ObjectRef
from tests.support.evaluations import REFUSAL, REPORTS, result
from tests.support.fake_store import FakeStore


@pytest.fixture
def files() -> RunFiles:
    return RunFiles(FakeStore(), REPORTS, "run")


@pytest.mark.parametrize(
    "written", [result(0.5, tags=("a",)), result(None), result(Score.undefined("no claims"), refusal=REFUSAL)]
)
def test_a_written_result_reads_back(files: RunFiles, written: ItemResult) -> None:
    files.write_result(written)
    assert files.read_result(written.attempt) == written


def test_a_result_lies_under_its_variant_and_question(files: RunFiles) -> None:
    files.write_result(result(0.5, item="fare", variant="base", repeat=2))
    store = files.store
    assert store.read(ObjectRef(REPORTS, "reports/run/items/base/fare-2.json")) is not None


def test_a_result_that_is_not_there_is_none(files: RunFiles) -> None:
    assert files.read_result(Attempt("run", "base", "fare", 0)) is None


@pytest.mark.parametrize("plain", ["q1", "fares.single", "A_b-9"])
def test_a_plain_id_is_its_own_name(plain: str) -> None:
    assert safe_name(plain) == plain


@given(st.lists(st.text(min_size=1), unique=True, max_size=20))
def test_names_are_safe_in_keys_and_as_different_as_ids(ids: list[str]) -> None:
    names = [safe_name(item_id) for item_id in ids]
    assert len(set(names)) == len(ids)
    assert all(name.isascii() and "/" not in name and ".." not in name[:2] and len(name) <= 100 for name in names)
