"""Weights and thresholds fitted on gold questions to the deployed stack, and answers that go by them."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ragstone.answering.calibration import Calibration
from ragstone.answering.signals import SIGNALS
from ragstone.aws.document_registry import DynamoDocumentRegistry
from ragstone.cli.environment import Environment
from ragstone.cli.live import live_settings
from ragstone.cli.local.places import SAMPLES
from ragstone.cli.local.script import Script
from ragstone.composition import build_answering
from ragstone.types import Answer, Query
from tests.support.command import run_ragstone

pytestmark = pytest.mark.e2e
MEASURED = {"ndcg", "auc_plain", "auc_model", "false_answer_rate", "over_refusal_rate"}


@pytest.fixture(scope="module")
def calibrated(
    environment: Environment, statuses: dict[str, Any], tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, str]:
    """The file that the command writes, and what it prints."""
    out = tmp_path_factory.mktemp("fitting") / "calibration.json"
    gold = str(SAMPLES / "gold.jsonl")
    done = run_ragstone("calibrate", gold, "--env", "local", "--folds", "3", "--out", str(out))
    return out, done.stdout


def read(path: Path) -> Calibration:
    return Calibration.read(path.read_bytes(), path.name)


def answer(environment: Environment, question: str, calibration: Path) -> Answer:
    """As a deployment answers whose settings name the file."""
    settings = live_settings(environment).changed({"calibration": str(calibration)})
    registry = DynamoDocumentRegistry(
        environment.resource("dynamodb"), table=settings.registry_table, namespace=settings.index_name
    )
    return asyncio.run(build_answering(settings, registry=registry).answer(Query(question)))


def test_a_calibration_is_fitted_on_what_the_live_index_finds(
    environment: Environment, calibrated: tuple[Path, str]
) -> None:
    fitted = read(calibrated[0])
    assert fitted.embedder == live_settings(environment).embedder
    assert 0 < fitted.min_confidence < 1
    assert fitted.measured.keys() == MEASURED
    ndcg, auc, refused = (fitted.measured[name] or 0.0 for name in ("ndcg", "auc_model", "over_refusal_rate"))
    assert ndcg >= 0.8
    assert auc >= 0.9
    assert refused <= 0.1
    assert fitted.model is None or fitted.model.weights.keys() <= SIGNALS.keys()


def test_both_sides_of_refusal_are_printed_for_the_chosen_thresholds(calibrated: tuple[Path, str]) -> None:
    path, printed = calibrated
    fitted = read(path)
    confidence, coverage = (line.split()[:3] for line in printed.splitlines() if line.rstrip().endswith("<"))
    assert (confidence[0], coverage[0]) == (f"{fitted.min_confidence:.2f}", f"{fitted.min_coverage:.2f}")
    chosen = [fitted.measured[name] for name in ("false_answer_rate", "over_refusal_rate")]
    assert coverage[1:] == [f"{share:.3f}" for share in chosen]
    assert f"written to {path}" in printed.replace("\n", "")


def test_a_deployment_answers_and_refuses_by_the_file_that_it_names(
    environment: Environment, calibrated: tuple[Path, str], demo_script: Script, tmp_path: Path
) -> None:
    path, case = calibrated[0], demo_script.answered[0]
    assert all(words in answer(environment, case.question, path).text for words in case.contains)
    for other in demo_script.refused:
        assert answer(environment, other.question, path).refusal
    strict = tmp_path / "strict.json"
    strict.write_bytes(replace(read(path), min_confidence=1.0).to_json())
    assert answer(environment, case.question, strict).refusal
