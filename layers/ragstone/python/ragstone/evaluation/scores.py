"""What a metric says of one answer: a number, or why there is none."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from math import isfinite


class ScoreStatus(StrEnum):
    OK = "ok"
    UNDEFINED = "undefined"
    ERROR = "error"
    SKIPPED = "skipped"

    @property
    def is_missing(self) -> bool:
        """Whether a number should be there and isn't; a metric that doesn't apply is not missed."""
        return self in (ScoreStatus.UNDEFINED, ScoreStatus.ERROR)


@dataclass(frozen=True, slots=True)
class Score:
    """A value from 0 to 1 (status `ok`), or None with the reason; NaN is never a value."""

    status: ScoreStatus
    value: float | None = None
    reason: str | None = None

    @classmethod
    def of(cls, value: float, reason: str | None = None) -> Score:
        """A score held to [0, 1] and rounded to six digits; a value that is no number is undefined."""
        if not isfinite(value):
            return cls.undefined(reason or "the metric is not a number for this answer")
        return cls(ScoreStatus.OK, round(min(1.0, max(0.0, value)), 6), reason)

    @classmethod
    def undefined(cls, reason: str) -> Score:
        """The metric applies but has no value, as when the judge found nothing to judge."""
        return cls(ScoreStatus.UNDEFINED, reason=reason)

    @classmethod
    def error(cls, reason: str) -> Score:
        """Measuring failed."""
        return cls(ScoreStatus.ERROR, reason=reason)

    @classmethod
    def skipped(cls, reason: str) -> Score:
        """The metric doesn't apply to this answer."""
        return cls(ScoreStatus.SKIPPED, reason=reason)
