"""How sure a mean is, and whether two variants differ by more than luck."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

import numpy as np
from numpy.typing import NDArray

RESAMPLES = 10_000
EXACT_UP_TO = 12
"""With so few differences all 2^n sign patterns are tried (4,096)."""

BLOCK = 500
TOLERANCE = 1e-12
"""Sums of the same numbers in another order differ by rounding."""


def bootstrap_ci95(values: Sequence[float], *, seed: int) -> tuple[float, float] | None:
    """The mean's 95 % percentile interval (Efron & Tibshirani 1993, chapter 13); None for fewer than two values."""
    if len(values) < 2:
        return None
    sample = np.asarray(values, dtype=float)
    draws = np.random.default_rng(seed)
    means = [sample[draws.integers(0, len(sample), size=(rows, len(sample)))].mean(axis=1) for rows in _blocks()]
    low, high = np.quantile(np.concatenate(means), [0.025, 0.975])
    return round(float(low), 6), round(float(high), 6)


def permutation_p(differences: Sequence[float], *, seed: int) -> float:
    """Two-sided p of a paired randomisation test on the mean difference (Smucker, Allan & Carterette 2007).

    Under the null hypothesis each difference may as well have the other sign. Exact for few pairs, else over random
    sign patterns with one added to numerator and denominator.
    """
    pairs = np.asarray(differences, dtype=float)
    observed = abs(pairs.sum()) - TOLERANCE
    if len(pairs) <= EXACT_UP_TO:
        signs = np.array(list(product((-1.0, 1.0), repeat=len(pairs))))
        return _extreme(signs, pairs, observed) / len(signs)
    draws = np.random.default_rng(seed)
    patterns = (draws.choice((-1.0, 1.0), size=(rows, len(pairs))) for rows in _blocks())
    return (1 + sum(_extreme(signs, pairs, observed) for signs in patterns)) / (1 + RESAMPLES)


def _extreme(signs: NDArray[np.float64], pairs: NDArray[np.float64], observed: float) -> int:
    return int((np.abs(signs @ pairs) >= observed).sum())


def _blocks() -> Iterator[int]:
    """The resamples a block at a time, so that memory stays bounded whatever the number of values."""
    for start in range(0, RESAMPLES, BLOCK):
        yield min(BLOCK, RESAMPLES - start)


def auc(positive: Sequence[float], negative: Sequence[float]) -> float | None:
    """The chance that a positive value is above a negative one, ties half (Mann & Whitney 1947); None without both."""
    if not positive or not negative:
        return None
    others = np.sort(np.asarray(negative, dtype=float))
    below = np.searchsorted(others, positive, "left") + np.searchsorted(others, positive, "right")
    return float(below.sum() / 2 / len(positive) / len(negative))
