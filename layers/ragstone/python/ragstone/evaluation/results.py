"""The outcome of one attempt: one question answered once by one variant, and scored."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from ragstone.evaluation.gold import GoldItem
from ragstone.evaluation.scores import Score, ScoreStatus
from ragstone.types import Citation, Refusal, TokenUsage


@dataclass(frozen=True, slots=True)
class Attempt:
    """One question put to one variant; `repeat` counts from 0."""

    run_id: str
    variant: str
    item_id: str
    repeat: int


class ItemStatus(StrEnum):
    """`incomplete`: there is an answer, but measuring it failed in part. `error`: there is none."""

    OK = "ok"
    INCOMPLETE = "incomplete"
    ERROR = "error"


@dataclass(frozen=True, slots=True)
class OfferedPassage:
    """A passage that the answer was drawn from; `gold` numbers the gold entries (from 0) that it satisfies."""

    document: str
    chunk_id: str
    page: int | None
    bm25: float | None
    cosine: float | None
    gold: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class GivenAnswer:
    """What the variant answered, from which passages (best first), and what that took."""

    text: str
    refusal: Refusal | None
    confidence: float
    citations: tuple[Citation, ...]
    passages: tuple[OfferedPassage, ...]
    stages_ms: Mapping[str, float]
    usage: tuple[TokenUsage, ...]
    cost_usd: float | None


@dataclass(frozen=True, slots=True)
class ItemResult:
    """An attempt's answer and its scores by metric; `error` says what failed."""

    run_id: str
    variant: str
    item_id: str
    repeat: int
    status: ItemStatus
    question: str
    answerable: bool
    tags: tuple[str, ...]
    reference: str | None
    scores: Mapping[str, Score]
    error: str | None = None
    answer: GivenAnswer | None = None
    judge_usage: tuple[TokenUsage, ...] = ()

    @classmethod
    def answered(
        cls,
        attempt: Attempt,
        item: GoldItem,
        answer: GivenAnswer,
        scores: Mapping[str, Score],
        judge_usage: Iterable[TokenUsage],
    ) -> ItemResult:
        """The result of an attempt that ended with an answer or a refusal."""
        failed = [f"{name}: {score.reason}" for name, score in scores.items() if score.status is ScoreStatus.ERROR]
        return cls(
            *_identity(attempt),
            ItemStatus.INCOMPLETE if failed else ItemStatus.OK,
            *_question(item),
            scores,
            "; ".join(failed) or None,
            answer,
            tuple(judge_usage),
        )

    @classmethod
    def unanswered(cls, attempt: Attempt, item: GoldItem, *, error: str, metrics: Iterable[str]) -> ItemResult:
        """The result of an attempt that ended with an error: no metric has a value."""
        scores = {name: Score.error(f"no answer: {error}") for name in metrics}
        return cls(*_identity(attempt), ItemStatus.ERROR, *_question(item), scores, error)

    @property
    def attempt(self) -> Attempt:
        return Attempt(self.run_id, self.variant, self.item_id, self.repeat)


def _identity(attempt: Attempt) -> tuple[str, str, str, int]:
    return attempt.run_id, attempt.variant, attempt.item_id, attempt.repeat


def _question(item: GoldItem) -> tuple[str, bool, tuple[str, ...], str | None]:
    return item.question, item.answerable, item.tags, item.reference
