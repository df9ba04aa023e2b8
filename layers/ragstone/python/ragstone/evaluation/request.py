"""The input of an evaluation, checked before anything is spent on it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Annotated, Any, Self

from pydantic import (
    AwareDatetime,
    BaseModel,
    ConfigDict,
    Field,
    StringConstraints,
    ValidationError,
    field_validator,
    model_validator,
)

from ragstone.errors import SettingsError
from ragstone.evaluation.errors import InvalidEvaluation
from ragstone.evaluation.gates import REFUSAL_GATES
from ragstone.evaluation.metrics import MetricKind, parse_metric
from ragstone.evaluation.problems import sentences
from ragstone.settings import Settings
from ragstone.types import ObjectRef

TUNABLE = (
    "agentic_rounds",
    "agentic_tokens",
    "breadcrumb_in_search_text",
    "candidate_depth",
    "chat_model",
    "chunk_overlap",
    "chunk_size",
    "chunk_unit",
    "chunker",
    "collapse_duplicates",
    "context_model",
    "contextual_prefix",
    "corpus_language",
    "embedder",
    "fragment_overlap",
    "fragment_size",
    "fusion",
    "graph_hops",
    "lexical_weight",
    "max_chunks_per_document",
    "max_dot_share",
    "min_chunk_characters",
    "min_confidence",
    "min_coverage",
    "neighbours",
    "parent_size",
    "rerank_depth",
    "rerank_seconds",
    "reranker",
    "retrieval_model",
    "retrieval_model_seconds",
    "search_back_matter",
    "section_size",
    "semantic_max_paragraphs",
    "semantic_threshold",
    "strategy",
    "table_size",
    "tokenizer",
    "top_k",
)
"""The settings that a variant may change: what shapes an answer, not where the deployment keeps things."""

DEFAULT_METRICS = ("hit@5", "recall@5", "mrr", "ndcg@5", "semantic_similarity", "rouge_l")
"""What is measured unless the input says otherwise: all that needs no judge."""

Name = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,79}$")]
S3Uri = Annotated[str, StringConstraints(pattern=r"^s3://[a-z0-9][a-z0-9.-]+/.*$")]


class Variant(BaseModel):
    """A name and the settings in which this variant differs from the deployment."""

    model_config = ConfigDict(frozen=True, extra="allow")

    name: Name

    @model_validator(mode="after")
    def changes_what_can_be_changed(self) -> Self:
        for key in self.changes:
            if key not in TUNABLE:
                raise ValueError(f"variant {self.name!r}: unknown key {key!r}; known are name, {', '.join(TUNABLE)}")
        return self

    @property
    def changes(self) -> dict[str, Any]:
        return dict(self.model_extra or {})

    def settings(self, deployment: Settings) -> Settings:
        """The deployment's settings with this variant's changes; raises InvalidEvaluation for a wrong value."""
        try:
            return Settings.model_validate({**deployment.model_dump(), **self.changes})
        except ValidationError as error:
            problems = "; ".join(sentences(error, known=TUNABLE))
            raise InvalidEvaluation(f"variant {self.name!r}: {problems}") from error


class EvaluationRequest(BaseModel):
    """What to measure, on which questions, over which documents, in which variants."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    dataset: S3Uri
    variants: Annotated[tuple[Variant, ...], Field(min_length=1, max_length=20)]
    metrics: Annotated[tuple[str, ...], Field(min_length=1)] = DEFAULT_METRICS
    corpus: S3Uri | None = None
    judge: str | None = None
    limit: Annotated[int, Field(ge=1)] | None = None
    seed: Annotated[int, Field(ge=0)] = 0
    repeats: Annotated[int, Field(ge=1, le=20)] = 1
    gates: dict[str, float] = {}
    run_id: Name | None = None
    execution: str = ""
    started_at: AwareDatetime = Field(default_factory=lambda: datetime.now(UTC))
    git_sha: str | None = None

    @classmethod
    def parse(cls, event: Mapping[str, Any]) -> EvaluationRequest:
        """Check an event; raises InvalidEvaluation that names every problem in it."""
        try:
            return cls.model_validate(event)
        except ValidationError as error:
            raise InvalidEvaluation("; ".join(sentences(error, known=tuple(cls.model_fields)))) from error

    @field_validator("variants")
    @classmethod
    def names_are_different(cls, variants: tuple[Variant, ...]) -> tuple[Variant, ...]:
        names = [variant.name for variant in variants]
        if repeated := sorted({name for name in names if names.count(name) > 1}):
            raise ValueError(f"{', '.join(repeated)} names more than one variant; give each a name of its own")
        return variants

    @field_validator("metrics")
    @classmethod
    def metrics_are_known(cls, names: tuple[str, ...]) -> tuple[str, ...]:
        try:
            return tuple(dict.fromkeys(parse_metric(name).name for name in names))
        except SettingsError as error:
            raise ValueError(str(error)) from error

    @model_validator(mode="after")
    def a_judge_is_there_if_needed(self) -> Self:
        judged = [name for name in self.metrics if parse_metric(name).metric.kind is MetricKind.JUDGED]
        if judged and not self.judge:
            raise ValueError(f'{", ".join(judged)} needs a judge: add "judge": "provider:model"')
        return self

    @model_validator(mode="after")
    def gates_are_measured(self) -> Self:
        known = (*self.metrics, *REFUSAL_GATES)
        if unknown := sorted(set(self.gates) - set(known)):
            raise ValueError(f"gates: {', '.join(unknown)} is not measured in this run; known are {', '.join(known)}")
        return self

    def name_of_run(self) -> str:
        """The run's id: as given, or from its start and its execution, so that a retry has the same one."""
        started = self.started_at.astimezone(UTC).strftime("%Y%m%dT%H%M%SZ")
        execution = re.sub(r"[^A-Za-z0-9]+", "-", self.execution.rpartition(":")[2])[:36].strip("-")
        return self.run_id or (f"{started}-{execution}" if execution else started)


def object_at(uri: str) -> ObjectRef:
    """The object that an `s3://bucket/key` names."""
    bucket, _, key = uri.removeprefix("s3://").partition("/")
    return ObjectRef(bucket, key)
