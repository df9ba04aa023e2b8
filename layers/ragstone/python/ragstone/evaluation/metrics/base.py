"""What a metric is: a named class that scores one answered question."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar, NamedTuple, Protocol

from ragstone.errors import SettingsError
from ragstone.evaluation.gold import GoldItem
from ragstone.evaluation.ragas_adapter import Ragas
from ragstone.evaluation.relevance import Ranking
from ragstone.evaluation.scores import Score
from ragstone.evaluation.sections import Sections
from ragstone.registry import Registry
from ragstone.types import Answer

UNANSWERABLE = "the question is unanswerable"
REFUSED = "the answer is a refusal, which is scored apart"
NO_REFERENCE = "the item has no reference"
NO_GOLD = "the item names no gold"
NO_PASSAGES = "no passage was retrieved"


class MetricKind(StrEnum):
    """What it looks at: the passages' order, the answer through a judge, or the answer's text."""

    RETRIEVAL = "retrieval"
    JUDGED = "judged"
    TEXT = "text"


@dataclass(frozen=True, slots=True)
class Case:
    """One answered gold question, with which gold entries its passages satisfy."""

    item: GoldItem
    answer: Answer
    ranking: Ranking
    sections: Sections

    @property
    def contexts(self) -> list[str]:
        return [passage.chunk.text for passage in self.answer.passages]


@dataclass(frozen=True, slots=True)
class Tools:
    """What metrics measure with: ragas, and the `k` of their name (0 where it has none)."""

    ragas: Ragas
    k: int = 0


class Metric(Protocol):
    """Scores a case; raises what measuring raised."""

    async def score(self, case: Case) -> Score: ...


class MetricClass(Protocol):
    """Makes a metric from the tools; it is what the registry holds."""

    @property
    def kind(self) -> MetricKind: ...
    def __call__(self, tools: Tools) -> Metric: ...


metrics: Registry[MetricClass] = Registry("metric")


class NamedMetric(NamedTuple):
    """A metric as a run names it: `recall@5` is the metric `recall@k` with k = 5."""

    name: str
    metric: MetricClass
    k: int = 0


def parse_metric(text: str) -> NamedMetric:
    """Find a metric by its name; raises SettingsError that lists the known ones."""
    name, at, k = text.strip().partition("@")
    if not at:
        return NamedMetric(name, metrics[name])
    if not k.isdecimal() or int(k) < 1:
        raise SettingsError(f"metric {text!r} needs a number from 1 after the @, for example {name}@5")
    return NamedMetric(f"{name}@{int(k)}", metrics[f"{name}@k"], int(k))


def build_metrics(names: Sequence[str], ragas: Ragas) -> dict[str, Metric]:
    """The metrics by their names."""
    found = [parse_metric(name) for name in names]
    return {named.name: named.metric(Tools(ragas, named.k)) for named in found}


class RetrievalMetric:
    """A formula over a ranking and k; it applies to answerable questions with gold, refused or not."""

    kind: ClassVar[MetricKind] = MetricKind.RETRIEVAL
    formula: ClassVar[staticmethod[[Ranking, int], float]]

    def __init__(self, tools: Tools) -> None:
        self._k = tools.k

    async def score(self, case: Case) -> Score:
        if not case.item.answerable:
            return Score.skipped(UNANSWERABLE)
        if not case.item.gold:
            return Score.skipped(NO_GOLD)
        return Score.of(self.formula(case.ranking, self._k))


class ReferenceMetric(ABC):
    """Compares an answer with its reference; it applies to answered questions that have one."""

    kind: ClassVar[MetricKind] = MetricKind.TEXT

    def __init__(self, tools: Tools) -> None:
        self.ragas = tools.ragas

    async def score(self, case: Case) -> Score:
        if not case.item.answerable:
            return Score.skipped(UNANSWERABLE)
        if case.answer.refused:
            return Score.skipped(REFUSED)
        if not case.item.reference:
            return Score.skipped(NO_REFERENCE)
        return await self.compare(case.answer.text, case.item.reference)

    @abstractmethod
    async def compare(self, response: str, reference: str) -> Score: ...


class ContextMetric:
    """Judges the passages against the reference, refused or not; without passages it is 0, not a gap in the mean."""

    kind: ClassVar[MetricKind] = MetricKind.JUDGED
    ragas_class: ClassVar[str]

    def __init__(self, tools: Tools) -> None:
        self.ragas = tools.ragas

    async def score(self, case: Case) -> Score:
        if not case.item.answerable:
            return Score.skipped(UNANSWERABLE)
        if not case.item.reference:
            return Score.skipped(NO_REFERENCE)
        if not case.contexts:
            return Score.of(0.0, NO_PASSAGES)
        return await self.ragas.judged(
            self.ragas_class,
            user_input=case.item.question,
            reference=case.item.reference,
            retrieved_contexts=case.contexts,
        )
