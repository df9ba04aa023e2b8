"""The step that measures: one question, answered once by one variant, scored and written down."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import TypeVar

from ragstone.errors import RagstoneError, TransientError
from ragstone.evaluation.errors import InvalidEvaluation
from ragstone.evaluation.gold import GoldItem
from ragstone.evaluation.judge import judge_usage
from ragstone.evaluation.metrics import Case, Metric
from ragstone.evaluation.relevance import Ranking
from ragstone.evaluation.results import Attempt, GivenAnswer, ItemResult, ItemStatus, OfferedPassage
from ragstone.evaluation.runs import RunFiles, RunPlan
from ragstone.evaluation.scores import Score
from ragstone.evaluation.sections import Sections
from ragstone.evaluation.workers import Answering
from ragstone.types import Answer, Passage, Query

T = TypeVar("T")
logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _Failure:
    """What was raised instead of a result."""

    error: Exception

    @property
    def reason(self) -> str:
        said = str(self.error)
        return said if isinstance(self.error, RagstoneError) else f"{type(self.error).__name__}: {said}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluator:
    """Evaluates attempts of one run on its frozen questions; `metrics` are by their names.

    `answering` makes what answers for a variant, `sections` what finds sections in its index.
    """

    files: RunFiles
    plan: RunPlan
    items: Mapping[str, GoldItem]
    answering: Callable[[str], Answering]
    sections: Callable[[str], Sections]
    metrics: Mapping[str, Metric]

    async def evaluate(self, attempt: Attempt) -> ItemResult:
        """Answer and score, unless that is done already; what fails for good is in the result.

        TransientError passes through, so that the attempt is made again.
        """
        done = self.files.read_result(attempt)
        if done is not None and done.status is ItemStatus.OK:
            return done
        item = self._item(attempt.item_id)
        top_k = self.plan.variant(attempt.variant).settings.top_k
        query = Query(item.question, top_k=top_k, groups=item.groups)
        [answer] = await _outcomes(self.answering(attempt.variant).answer(query))
        if isinstance(answer, _Failure):
            result = ItemResult.unanswered(attempt, item, error=answer.reason, metrics=self.metrics)
        else:
            result = await self._scored(attempt, item, answer)
        self.files.write_result(result)
        return result

    def _item(self, item_id: str) -> GoldItem:
        try:
            return self.items[item_id]
        except KeyError:
            raise InvalidEvaluation(f"run {self.files.run_id} has no question {item_id!r} in its dataset") from None

    async def _scored(self, attempt: Attempt, item: GoldItem, answer: Answer) -> ItemResult:
        ranking = Ranking.of(answer.passages, item.gold, self.plan.corpus)
        case = Case(item, answer, ranking, self.sections(attempt.variant))
        with judge_usage() as usage:
            outcomes = await _outcomes(*(metric.score(case) for metric in self.metrics.values()))
        scores = dict(zip(self.metrics, map(_score, outcomes), strict=True))
        return ItemResult.answered(attempt, item, _given(case), scores, usage)


async def _outcomes(*work: Awaitable[T]) -> list[T | _Failure]:
    """What each piece of work came to, side by side; raises a TransientError of any once all have ended."""
    outcomes = await asyncio.gather(*map(_outcome, work))
    for outcome in outcomes:
        if isinstance(outcome, _Failure) and isinstance(outcome.error, TransientError):
            raise outcome.error
    return outcomes


async def _outcome(work: Awaitable[T]) -> T | _Failure:
    """The one place where any error becomes a value: a bad answer or metric must not cost the run the others."""
    try:
        return await work
    except RagstoneError as error:
        return _Failure(error)
    except Exception as error:
        logger.exception("evaluating failed")
        return _Failure(error)


def _score(outcome: Score | _Failure) -> Score:
    return Score.error(outcome.reason) if isinstance(outcome, _Failure) else outcome


def _given(case: Case) -> GivenAnswer:
    answer = case.answer
    return GivenAnswer(
        text=answer.text,
        refusal=answer.refusal,
        confidence=answer.confidence,
        citations=answer.citations,
        passages=tuple(map(_offered, answer.passages, case.ranking.satisfied)),
        stages_ms=answer.telemetry.stages_ms,
        usage=answer.telemetry.usage,
        cost_usd=answer.telemetry.cost_usd,
    )


def _offered(passage: Passage, gold: frozenset[int]) -> OfferedPassage:
    return OfferedPassage(
        document=passage.chunk.source,
        chunk_id=passage.chunk.chunk_id,
        page=passage.chunk.page_from,
        bm25=passage.bm25,
        cosine=passage.cosine,
        gold=tuple(sorted(gold)),
    )
