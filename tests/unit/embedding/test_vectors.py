import math
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragstone.embedding.vectors import blank, mean, unit

NUMBERS = st.floats(allow_nan=True, allow_infinity=True)


def test_a_vector_keeps_its_direction() -> None:
    assert unit([3.0, -4.0]) == pytest.approx([0.6, -0.8])


@given(st.lists(NUMBERS, min_size=1, max_size=8))
def test_every_vector_comes_out_finite_and_of_unit_length(vector: list[float]) -> None:
    assert math.hypot(*unit(vector)) == pytest.approx(1)


@pytest.mark.parametrize(
    "vector", [[0.0, 0.0, 0.0, 0.0], [5e-324, 5e-324, 0.0, 0.0], [math.nan, 1.0, 0.0, 0.0], [math.inf, 1.0, 0.0, 0.0]]
)
def test_a_vector_without_direction_becomes_the_blank_one(vector: list[float]) -> None:
    assert unit(vector) == blank(4) == [-0.5, 0.5, -0.5, 0.5]


def test_the_blank_vector_is_near_to_nothing() -> None:
    random = Random(7)
    others = [unit([random.gauss() for _ in range(256)]) for _ in range(200)]
    cosines = [sum(a * b for a, b in zip(blank(256), other, strict=True)) for other in others]
    assert max(map(abs, cosines)) < 0.25


def test_the_mean_weighs_its_vectors() -> None:
    assert mean([[1.0, 0.0], [0.0, 1.0]], [3, 4]) == pytest.approx([0.6, 0.8])
