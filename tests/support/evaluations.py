"""An evaluation's parts for tests: gold, answers, results, and fakes of what it measures."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from ragstone.evaluation.corpus import Corpus
from ragstone.evaluation.gold import GoldEntry, GoldItem
from ragstone.evaluation.metrics import Case
from ragstone.evaluation.relevance import Ranking
from ragstone.evaluation.results import Attempt, GivenAnswer, ItemResult
from ragstone.evaluation.scores import Score
from ragstone.evaluation.sections import Sections
from ragstone.ports import ChunkReader
from ragstone.settings import Settings
from ragstone.types import (
    Answer,
    DocumentRecord,
    DocumentStatus,
    EmbeddedChunk,
    Legs,
    ObjectChange,
    Passage,
    Query,
    Refusal,
    RefusalReason,
    RefusalStage,
    SearchRequest,
    Sentence,
    Telemetry,
    TokenUsage,
)
from tests.support.builders import passage
from tests.support.fake_reader import FakeReader
from tests.support.fake_store import FakeStore

DOCUMENTS = "documents"
REPORTS = "reports"
SETTINGS = Settings(index_url="lancedb:///index", documents_bucket=DOCUMENTS, reports_bucket=REPORTS)
CORPUS = Corpus(DOCUMENTS)
REFUSAL = Refusal(RefusalStage.RETRIEVAL, RefusalReason.NO_EVIDENCE, "Nothing about this.")

FERRY = passage("The ferry costs 4 euros.", source="fares.md", page_from=None)
BIKES = passage("Bicycles travel free of charge.", source="bicycles.md", page_from=None, ordinal=1)
QUESTION = GoldItem(
    "fare",
    "What does the ferry cost?",
    reference="It costs 4 euros.",
    gold=(GoldEntry("fares.md", quote="costs 4 euros"),),
    tags=("fares",),
)
UNANSWERABLE = GoldItem("moon", "When does the ferry go to the moon?", answerable=False, tags=("off-topic",))
ANSWER = Answer(
    (Sentence("The ferry costs 4 euros.", ()),),
    refusal=None,
    confidence=0.9,
    passages=(FERRY, BIKES),
    telemetry=Telemetry({"retrieve": 20.0, "total": 50.0}),
)
REFUSED = Answer((), REFUSAL, confidence=0.1, telemetry=Telemetry({"retrieve": 20.0, "total": 21.0}))


def case(item: GoldItem = QUESTION, answer: Answer = ANSWER, reader: ChunkReader | None = None) -> Case:
    ranking = Ranking.of(answer.passages, item.gold, CORPUS)
    return Case(item, answer, ranking, Sections(CORPUS, reader or FakeReader()))


def answering_with(*passages: Passage) -> Answer:
    return replace(ANSWER, passages=passages)


def result(
    value: float | Score | None,
    *,
    item: str = "a",
    variant: str = "base",
    repeat: int = 0,
    metric: str = "mrr",
    answerable: bool = True,
    refusal: Refusal | None = None,
    tags: tuple[str, ...] = (),
    usage: tuple[TokenUsage, ...] = (),
    stages_ms: Mapping[str, float] | None = None,
) -> ItemResult:
    """One attempt with one score; without a value there is no answer."""
    asked = GoldItem(item, f"question {item}", answerable=answerable, tags=tags)
    attempt = Attempt("run", variant, item, repeat)
    if value is None:
        return ItemResult.unanswered(attempt, asked, error="the model is unknown", metrics=[metric])
    given = GivenAnswer("" if refusal else "An answer.", refusal, 0.5, (), (), stages_ms or {"total": 10.0}, usage, 0.0)
    score = value if isinstance(value, Score) else Score.of(value)
    return ItemResult.answered(attempt, asked, given, {metric: score}, ())


def store_with_corpus(*items: GoldItem) -> FakeStore:
    """Two documents in the inbox and a dataset beside the reports."""
    store = FakeStore()
    store.put(DOCUMENTS, "inbox/bicycles.md", "Bicycles travel free of charge.")
    store.put(DOCUMENTS, "inbox/fares.md", "The ferry costs 4 euros.")
    store.put(REPORTS, "gold.jsonl", dataset(*(items or (QUESTION, UNANSWERABLE))))
    return store


def dataset(*items: GoldItem) -> str:
    return "".join(json.dumps(_plain(item)) + "\n" for item in items)


def _plain(item: GoldItem) -> dict[str, Any]:
    gold = [{"document": entry.document, "page": entry.page, "quote": entry.quote} for entry in item.gold]
    return {
        "id": item.id,
        "question": item.question,
        "reference": item.reference,
        "answerable": item.answerable,
        "gold": gold,
        "tags": list(item.tags),
        "groups": list(item.groups),
    }


def request(**changes: Any) -> dict[str, Any]:
    """A valid input; a change to None leaves the key out."""
    asked = {
        "dataset": f"s3://{REPORTS}/gold.jsonl",
        "variants": [{"name": "base"}],
        "metrics": ["recall@5", "mrr"],
        "execution": "nightly-7",
        "started_at": "2026-03-01T02:00:00Z",
        **changes,
    }
    return {key: value for key, value in asked.items() if value is not None}


@dataclass
class FakeIngestion:
    """Indexes by remembering: a change that it has seen is done already; `failures` are raised first."""

    fingerprint: str = "recursive-1000"
    applied: list[ObjectChange] = field(default_factory=list[ObjectChange])
    rejected: frozenset[str] = frozenset()
    failures: list[Exception] = field(default_factory=list[Exception])

    def apply(self, change: ObjectChange) -> DocumentRecord | None:
        if self.failures:
            raise self.failures.pop(0)
        if change in self.applied:
            return None
        self.applied.append(change)
        status = DocumentStatus.REJECTED if change.object.key in self.rejected else DocumentStatus.INDEXED
        place = change.object
        return DocumentRecord(place.document_id, place.bucket, place.key, change.sequencer, status)

    @property
    def keys(self) -> list[str]:
        return [change.object.key for change in self.applied]


@dataclass
class CountingIndex:
    """An index that only counts."""

    chunks: int = 3

    def ensure(self) -> None: ...
    def add(self, chunks: Iterable[EmbeddedChunk]) -> None: ...
    def remove(self, document_id: str, *, version: str | None = None, keep: str | None = None) -> None: ...
    def search(self, request: SearchRequest) -> Legs:
        return Legs((), ())

    def count(self, document_id: str | None = None) -> int:
        return self.chunks

    def drop(self) -> None: ...


@dataclass
class FakeAnswering:
    """Answers from a table by question; an exception in it is raised."""

    answers: Mapping[str, Answer | Exception] = field(default_factory=dict[str, Answer | Exception])
    asked: list[Query] = field(default_factory=list[Query])

    async def answer(self, query: Query) -> Answer:
        self.asked.append(query)
        answer = self.answers.get(query.question, REFUSED)
        if isinstance(answer, Exception):
            raise answer
        return answer
