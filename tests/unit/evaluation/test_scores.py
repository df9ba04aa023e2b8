"""What a score can be."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragstone.evaluation.scores import Score, ScoreStatus


@pytest.mark.parametrize("value", [float("nan"), float("inf"), float("-inf")])
def test_what_is_not_a_number_is_undefined(value: float) -> None:
    score = Score.of(value)
    assert (score.status, score.value) == (ScoreStatus.UNDEFINED, None)
    assert score.reason


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_value_is_held_between_0_and_1(value: float) -> None:
    score = Score.of(value)
    assert score.status is ScoreStatus.OK
    assert score.value is not None
    assert 0.0 <= score.value <= 1.0


def test_rounding_noise_is_taken_off() -> None:
    assert Score.of(0.9999999999).value == 1.0
    assert Score.of(1.0000000000000004).value == 1.0


def test_only_undefined_and_failed_values_are_missed() -> None:
    assert [status for status in ScoreStatus if status.is_missing] == [ScoreStatus.UNDEFINED, ScoreStatus.ERROR]
