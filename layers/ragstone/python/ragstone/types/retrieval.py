"""Questions, what a search is asked for, and the evidence that it finds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from ragstone.types.basics import Vector
from ragstone.types.chunks import Chunk
from ragstone.types.models import TokenUsage


class FilterOp(StrEnum):
    EQ = "eq"
    NE = "ne"
    GT = "gt"
    GTE = "gte"
    LT = "lt"
    LTE = "lte"
    IN = "in"
    NOT_IN = "not_in"
    CONTAINS = "contains"
    EXISTS = "exists"


FilterValue = str | int | float | bool | tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Filter:
    """One condition on a chunk: `field` is one of `ragstone.filters.FIELDS` or `metadata.<name>`."""

    field: str
    op: FilterOp
    value: FilterValue


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """One hybrid search: each leg returns at most `depth` hits that pass all filters and that `groups` may read."""

    text: str
    vector: Vector
    depth: int
    filters: tuple[Filter, ...] = ()
    groups: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Hit:
    """A chunk that one leg found; `score` is the leg's own: BM25 (> 0) or cosine similarity (-1 to 1)."""

    chunk: Chunk
    score: float


@dataclass(frozen=True, slots=True)
class Legs:
    """Both legs of one search, best hit first, ties by chunk id."""

    lexical: tuple[Hit, ...]
    dense: tuple[Hit, ...]


@dataclass(frozen=True, slots=True)
class Passage:
    """A chunk offered as evidence; raw scores are None where that leg did not find it, ranks count from 1.

    The fused score only orders passages: one weak hit normalises to 1.0, so no gate may read it. `rerank_score` is the
    reranker's own, None where it was not asked. `fragments` are the ids of the chunks that were found where `chunk`
    stands for them (their section, or a stretch around them), best first. `also_in` are the sources of near-duplicates
    that this passage stands for.
    """

    chunk: Chunk
    fused_score: float
    bm25: float | None = None
    cosine: float | None = None
    lexical_rank: int | None = None
    dense_rank: int | None = None
    rerank_score: float | None = None
    fragments: tuple[str, ...] = ()
    also_in: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RetrievalStep:
    """One search that a strategy made beyond the question itself: what for, with which words, and what came of it.

    `found` counts the passages that no earlier step had found.
    """

    purpose: str
    query: str
    found: int


@dataclass(frozen=True, slots=True)
class Evidence:
    """What retrieval found: `passages` to answer from, best first; `pool` is every candidate that may be quoted.

    `degraded` says in sentences what had to be left out (a reranker that was late, a plan that failed); `collapsed`
    counts near-duplicates that other passages stand for. `translation` is the question as it was searched where that
    was in another language. `usage` is what models were asked on the way.
    """

    passages: tuple[Passage, ...]
    pool: tuple[Passage, ...] = ()
    timings_ms: Mapping[str, float] = field(default_factory=dict[str, float])
    strategy: str = ""
    reranker: str = ""
    steps: tuple[RetrievalStep, ...] = ()
    degraded: tuple[str, ...] = ()
    collapsed: int = 0
    translation: str | None = None
    usage: tuple[TokenUsage, ...] = ()


@dataclass(frozen=True, slots=True)
class Query:
    """A validated question with the caller's groups, which come from the authorizer and never from the body.

    `strategy`, `reranker` and `chat_model` choose among those that the settings allow; None is the settings' own.
    `language` (ISO 639-1) is the answer's; None is the question's own. `history` is what was said before, oldest first.
    The answer becomes `owner`'s under `answer_id`, in their conversation `conversation_id` if there is one. `trace`
    asks for the answer's spans.
    """

    question: str
    filters: tuple[Filter, ...] = ()
    top_k: int = 5
    groups: tuple[str, ...] = ()
    strategy: str | None = None
    reranker: str | None = None
    chat_model: str | None = None
    language: str | None = None
    conversation_id: str | None = None
    history: tuple[Turn, ...] = ()
    owner: str = ""
    answer_id: str = ""
    trace: bool = False


@dataclass(frozen=True, slots=True)
class Turn:
    """A question of a conversation and what was answered."""

    question: str
    answer: str
