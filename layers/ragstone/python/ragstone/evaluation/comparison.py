"""Compares variants question by question."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

import pandas as pd

from ragstone.evaluation.report import Comparison, Regression
from ragstone.evaluation.scores import ScoreStatus
from ragstone.evaluation.statistics import permutation_p

SHOWN_REGRESSIONS = 20


def compare_variants(scores: pd.DataFrame, variants: Sequence[str], *, seed: int) -> Iterator[Comparison]:
    """Every pair of variants on every metric for which they share questions; the earlier one is the baseline."""
    values = scores[scores["status"] == ScoreStatus.OK]
    for metric, rows in values.groupby("metric", sort=False):
        by_item = rows.groupby(["item_id", "variant"])["value"].mean().unstack()
        for baseline, challenger in combinations([name for name in variants if name in by_item], 2):
            pairs = by_item[[baseline, challenger]].dropna()
            if len(pairs):
                yield _compared(str(metric), pairs, seed)


def _compared(metric: str, pairs: pd.DataFrame, seed: int) -> Comparison:
    baseline, challenger = pairs.columns
    differences = (pairs[challenger] - pairs[baseline]).round(9)
    worst = differences[differences < 0].sort_values(kind="stable").index[:SHOWN_REGRESSIONS]
    return Comparison(
        metric=metric,
        baseline=str(baseline),
        challenger=str(challenger),
        n=len(pairs),
        difference=round(float(differences.mean()), 6),
        p_value=round(permutation_p(differences.tolist(), seed=seed), 6),
        wins=int((differences > 0).sum()),
        ties=int((differences == 0).sum()),
        losses=int((differences < 0).sum()),
        regressions=tuple(
            Regression(str(item_id), float(pairs[baseline][item_id]), float(pairs[challenger][item_id]))
            for item_id in worst
        ),
    )
