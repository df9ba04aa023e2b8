"""A run's results as data frames, the form in which they are summed up."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from ragstone.evaluation.results import ItemResult

SCORE_COLUMNS = ["variant", "metric", "item_id", "repeat", "tags", "status", "value", "reason"]
ANSWER_COLUMNS = ["variant", "item_id", "answerable", "refused", "reason"]
STAGE_COLUMNS = ["variant", "stage", "ms"]


@dataclass(frozen=True, slots=True)
class Frames:
    """`scores` has a row an attempt and metric, `answers` one an attempt that has one, `stages` one a stage of it."""

    scores: pd.DataFrame
    answers: pd.DataFrame
    stages: pd.DataFrame

    @classmethod
    def of(cls, results: Iterable[ItemResult]) -> Frames:
        """Take from each result what is summed up; the rest of it is let go."""
        scores: list[Sequence[Any]] = []
        answers: list[Sequence[Any]] = []
        stages: list[Sequence[Any]] = []
        for result in results:
            scores += _scores(result)
            if result.answer is not None:
                refusal = result.answer.refusal
                reason = refusal.reason.value if refusal else None
                answers.append((result.variant, result.item_id, result.answerable, refusal is not None, reason))
                stages += [(result.variant, stage, ms) for stage, ms in result.answer.stages_ms.items()]
        return cls(
            pd.DataFrame(scores, columns=SCORE_COLUMNS).astype({"value": float}),
            pd.DataFrame(answers, columns=ANSWER_COLUMNS).astype({"answerable": bool, "refused": bool}),
            pd.DataFrame(stages, columns=STAGE_COLUMNS).astype({"ms": float}),
        )

    def of_variant(self, name: str) -> Frames:
        """One variant's rows."""
        frames = (self.scores, self.answers, self.stages)
        return Frames(*(frame[frame["variant"] == name] for frame in frames))


def _scores(result: ItemResult) -> list[Sequence[Any]]:
    return [
        (
            result.variant,
            metric,
            result.item_id,
            result.repeat,
            result.tags,
            score.status.value,
            score.value,
            score.reason,
        )
        for metric, score in result.scores.items()
    ]


def groups(frame: pd.DataFrame, column: str) -> Mapping[str, pd.DataFrame]:
    """The frame's rows by the value of one column, in order of appearance."""
    return {str(name): rows for name, rows in frame.groupby(column, sort=False)}
