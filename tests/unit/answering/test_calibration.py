from __future__ import annotations

import json

import pytest

from ragstone.answering.calibration import Calibration
from ragstone.answering.confidence import LogisticModel, plain_sum
from ragstone.errors import SettingsError
from ragstone.settings import Settings

FITTED = Calibration(
    "wordllama", 0.55, 0.4, 0.2, LogisticModel(-1.5, {"match": 3.0, "cosine": 1.0}), {"auc_model": 0.9}
)
SETTINGS = Settings(index_url="lancedb:///index", calibration="c.json")


def test_a_written_calibration_reads_back() -> None:
    assert Calibration.read(FITTED.to_json(), "c.json") == FITTED
    assert FITTED.confidence is FITTED.model


def test_without_a_model_confidence_is_the_plain_sum() -> None:
    assert Calibration("wordllama", 0.5, 0.4, 0.2).confidence is plain_sum


def test_what_was_fitted_takes_the_place_of_defaults() -> None:
    applied = FITTED.applied(SETTINGS)
    assert (applied.lexical_weight, applied.min_confidence, applied.min_coverage) == (0.55, 0.4, 0.2)


def test_what_settings_say_themselves_stands() -> None:
    own = SETTINGS.changed({"lexical_weight": 0.9, "min_confidence": 0.1})
    applied = FITTED.applied(own)
    assert (applied.lexical_weight, applied.min_confidence, applied.min_coverage) == (0.9, 0.1, 0.2)


def test_another_embedder_is_refused_with_what_to_do() -> None:
    with pytest.raises(SettingsError, match=r"was fitted for the embedder 'wordllama', but .* Calibrate again"):
        FITTED.applied(SETTINGS.changed({"embedder": "openai:text-embedding-3-small"}))


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"{}", "c.json is no calibration"),
        (b"nothing", "c.json is no calibration"),
        (FITTED.to_json().replace(b"0.55", b"1.55"), "less than or equal to 1"),
        (FITTED.to_json().replace(b'"cosine"', b'"aura"'), r"doesn't know \(aura\). Calibrate again"),
    ],
)
def test_a_file_that_is_no_calibration_is_refused(content: bytes, problem: str) -> None:
    with pytest.raises(SettingsError, match=problem):
        Calibration.read(content, "c.json")


def test_the_file_is_json_for_people() -> None:
    assert json.loads(FITTED.to_json())["model"]["weights"] == {"match": 3.0, "cosine": 1.0}
