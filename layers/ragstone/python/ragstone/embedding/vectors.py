"""Unit-length vectors, for texts without any meaning too."""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence
from operator import mul

from ragstone.types import Vector


def unit(vector: Vector) -> list[float]:
    """The vector at length 1; `blank` if it has no direction (zeros, or not finite).

    One odd chunk must not stop a document, and no index takes a zero vector for cosine similarity.
    """
    length = math.hypot(*vector)
    if not sys.float_info.min <= length < math.inf:
        return blank(len(vector))
    return [value / length for value in vector]


def blank(dimensions: int) -> list[float]:
    """A fixed unit vector that stands for "no meaning".

    Its signs alternate, so its cosine with the vector of a real text is about 0 (standard deviation about
    1/√dimensions).
    """
    value = 1 / math.sqrt(dimensions)
    return [value if position % 2 else -value for position in range(dimensions)]


def mean(vectors: Sequence[Vector], weights: Sequence[float]) -> list[float]:
    """The weighted sum of one text's pieces at length 1."""
    return unit([sum(map(mul, column, weights)) for column in zip(*vectors, strict=True)])
