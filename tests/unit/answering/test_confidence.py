from __future__ import annotations

import pytest

from ragstone.answering.confidence import LogisticModel, plain_sum
from ragstone.answering.signals import Reading
from tests.support.builders import evidence, passage

READING = Reading("night ferry", evidence(passage("The night ferry runs on Tuesdays only.", cosine=0.6)))


def test_the_plain_sum_is_the_match_held_to_one() -> None:
    assert plain_sum(READING) == pytest.approx((1 + 2 * 0.6) / 3)


def test_a_logistic_model_weighs_its_signals() -> None:
    model = LogisticModel(-1.0, {"coverage": 2.0, "cosine": -0.5})
    assert model(READING) == pytest.approx(1 / (1 + 2.718281828 ** -(-1 + 2 - 0.3)))


@pytest.mark.parametrize(("intercept", "expected"), [(1e6, 1.0), (-1e6, 0.0)])
def test_extreme_weights_do_not_overflow(intercept: float, expected: float) -> None:
    assert LogisticModel(intercept, {}).of({}) == pytest.approx(expected)
