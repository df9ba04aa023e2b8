"""Answers, their citations, and refusals."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from ragstone.types.basics import Vector
from ragstone.types.models import TokenUsage
from ragstone.types.retrieval import Passage


@dataclass(frozen=True, slots=True)
class Claim:
    """One sentence that an answerer proposes, with the passages (numbers from 1) and the words it rests on."""

    sentence: str
    passages: tuple[int, ...]
    quotes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Citation:
    """Words of a document that a sentence rests on: `quote` is `document.text[start:end]`, found there and checked.

    It stands on `page`, or where it goes over several pages on `page` to `page_to`, which is None else.
    """

    number: int
    document: str
    quote: str
    start: int
    end: int
    chunk_id: str
    page: int | None = None
    page_to: int | None = None


@dataclass(frozen=True, slots=True)
class Sentence:
    """A released sentence with its verified citations."""

    text: str
    citations: tuple[Citation, ...]


class RefusalStage(StrEnum):
    RETRIEVAL = "retrieval"
    SUFFICIENCY = "sufficiency"
    GROUNDING = "grounding"
    POLICY = "policy"


class RefusalReason(StrEnum):
    NO_EVIDENCE = "no_evidence"
    LOW_CONFIDENCE = "low_confidence"
    INSUFFICIENT_EVIDENCE = "insufficient_evidence"
    UNCITED = "uncited"
    UNSUPPORTED = "unsupported"
    BLOCKED = "blocked"


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why there is no answer; `nearest` names the closest documents, without their text."""

    stage: RefusalStage
    reason: RefusalReason
    message: str
    nearest: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Telemetry:
    """What an answer took: milliseconds by stage, tokens by model call, cost in US dollars (None: price unknown).

    `cache` says what the look-up came to; `gates` holds each gate's scores and thresholds by name; `degraded` says in
    sentences what had to be left out.
    """

    stages_ms: Mapping[str, float] = field(default_factory=dict[str, float])
    usage: tuple[TokenUsage, ...] = ()
    cost_usd: float | None = None
    dropped_sentences: int = 0
    cache: str = "off"
    gates: Mapping[str, float] = field(default_factory=dict[str, float])
    degraded: tuple[str, ...] = ()


SpanValue = str | int | float | bool


@dataclass(frozen=True, slots=True)
class Span:
    """One stage of an answer: when it began (milliseconds since the question came) and how long it worked.

    `inputs` and `results` are small values; only those whose name ends in `text` hold words of people or documents.
    """

    stage: str
    started_ms: float
    ms: float
    outcome: str
    inputs: Mapping[str, SpanValue] = field(default_factory=dict[str, SpanValue])
    results: Mapping[str, SpanValue] = field(default_factory=dict[str, SpanValue])


@dataclass(frozen=True, slots=True)
class Answer:
    """The whole result of a query: released sentences, or a refusal without any, and the passages it rests on.

    A `clarification` is a question back to the asker: there is neither an answer nor a refusal then.
    """

    sentences: tuple[Sentence, ...]
    refusal: Refusal | None
    confidence: float
    passages: tuple[Passage, ...] = ()
    telemetry: Telemetry = field(default_factory=Telemetry)
    clarification: str | None = None
    trace: tuple[Span, ...] = ()

    @property
    def text(self) -> str:
        return " ".join(sentence.text for sentence in self.sentences)

    @property
    def citations(self) -> tuple[Citation, ...]:
        return tuple(dict.fromkeys(citation for sentence in self.sentences for citation in sentence.citations))

    @property
    def refused(self) -> bool:
        return self.refusal is not None


@dataclass(frozen=True, slots=True)
class CachedAnswer:
    """A released answer as a cache keeps it, with the versions of all documents that its passages come from.

    `scope` is the key without the question: only entries of one scope may stand for each other.
    """

    key: str
    scope: str
    question: str
    vector: Vector
    answer: Answer
    documents: Mapping[str, str]
