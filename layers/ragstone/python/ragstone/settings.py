"""Runtime settings: read once from the environment into a typed model, never at import."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Annotated, Literal, Self

from annotated_types import Ge, Le
from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from ragstone.errors import SettingsError
from ragstone.metadata import MetadataField
from ragstone.types import RefusalReason

PREFIX = "RAGSTONE_"
DEFAULT_OVERLAP_PERCENT = 12


class Settings(BaseModel):
    """Everything a function can be told; each field is the environment variable `RAGSTONE_<FIELD>`.

    `index_url` chooses the index: `lancedb:///absolute/path`, or the http(s) URL of an OpenSearch service. `index_gib`
    is how large it will grow: an index of a domain gets one primary shard for each 30 GiB when it is made.
    `editors` are the groups that may change documents through the API, everybody if there are none.
    `reading_model` rewrites follow-ups and reads for sufficiency; without it the chat model does. Models that are empty
    are not asked: `judge_model` reads each sentence against its quotation, `reasoning_model` thinks aloud,
    `moderation_model` lets questions through. `refusal_messages` are by "reason" or "reason.language". `log_texts` lets
    words of people and of documents into logs and traces; `otlp_endpoint` is the base URL of a collector that takes
    these over OTLP/HTTP.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    environment: str = "local"
    documents_bucket: str = ""
    reports_bucket: str = ""
    registry_table: str = ""
    conversations_table: str = ""
    ingest_queue_url: str = ""
    dead_letters_url: str = ""
    api_keys_secret: str = ""
    editors: tuple[str, ...] = ()

    index_url: str
    index_name: Annotated[str, Field(pattern=r"^[a-z][a-z0-9-]{0,62}$")] = "chunks"
    index_auth: Literal["none", "es", "aoss"] = "none"
    index_profile: Literal["domain", "serverless", "lucene"] = "domain"
    index_gib: Annotated[int, Field(ge=1, le=3_000)] = 30

    embedder: str = "wordllama"
    embedding_cache_table: str = ""
    chat_model: str = "extractive"
    fallback_model: str = ""
    models_allowed: tuple[str, ...] = ()
    first_token_seconds: Annotated[float, Field(gt=0, le=900)] = 60
    between_tokens_seconds: Annotated[float, Field(gt=0, le=900)] = 30

    chunker: str = "section"
    chunk_size: Annotated[int, Field(ge=20, le=20_000)] = 1_000
    chunk_overlap: Annotated[int | None, Field(ge=0, le=10_000)] = None
    chunk_unit: Literal["characters", "tokens"] = "characters"
    tokenizer: str = "wordllama"
    section_size: Annotated[int, Field(ge=100, le=20_000)] = 2_500
    fragment_size: Annotated[int, Field(ge=100, le=20_000)] = 1_200
    fragment_overlap: Annotated[int, Field(ge=0, le=10_000)] = 200
    table_size: Annotated[int, Field(ge=100, le=20_000)] = 3_000
    parent_size: Annotated[int, Field(ge=1_000, le=100_000)] = 20_000
    semantic_threshold: Annotated[float, Field(ge=0, le=2)] = 0.55
    semantic_max_paragraphs: Annotated[int, Field(ge=1, le=100)] = 8
    min_chunk_characters: Annotated[int, Field(ge=0, le=1_000)] = 20
    max_dot_share: Annotated[float, Field(ge=0, le=1)] = 0.15
    breadcrumb_in_search_text: bool = True
    contextual_prefix: bool = False
    context_model: str = ""

    top_k: Annotated[int, Field(ge=1, le=50)] = 5
    candidate_depth: Annotated[int, Field(ge=10, le=500)] = 50
    strategy: str = "hybrid"
    strategies_allowed: tuple[str, ...] = ("lexical", "dense", "hybrid", "hierarchical", "neighbours", "graph")
    fusion: Literal["min_max", "rrf"] = "min_max"
    lexical_weight: Annotated[float | None, Field(ge=0, le=1)] = None
    reranker: str = ""
    rerankers_allowed: tuple[str, ...] = ()
    rerank_depth: Annotated[int, Field(ge=1, le=200)] = 30
    rerank_seconds: Annotated[float, Field(gt=0, le=60)] = 2
    max_chunks_per_document: Annotated[int, Field(ge=0, le=50)] = 0
    collapse_duplicates: bool = True
    neighbours: Annotated[int, Field(ge=1, le=10)] = 1
    corpus_language: Annotated[str, Field(pattern=r"^([a-z]{2})?$")] = ""
    retrieval_model: str = ""
    retrieval_model_seconds: Annotated[float, Field(gt=0, le=120)] = 10
    graph_hops: Annotated[int, Field(ge=1, le=3)] = 1
    agentic_rounds: Annotated[int, Field(ge=1, le=5)] = 2
    agentic_tokens: Annotated[int, Field(ge=100, le=100_000)] = 8_000
    search_back_matter: bool = False
    min_confidence: Annotated[float, Field(ge=0, le=1)] = 0.39
    min_coverage: Annotated[float, Field(ge=0, le=1)] = 0.1
    calibration: str = ""
    sure_confidence: Annotated[float, Field(ge=0, le=1)] = 0.8
    min_word_support: Annotated[float, Field(ge=0, le=1)] = 0.66
    min_verified_share: Annotated[float, Field(ge=0, le=1)] = 0.5
    reading_model: str = ""
    judge_model: str = ""
    reasoning_model: str = ""
    moderation_model: str = ""
    max_question: Annotated[int, Field(ge=1, le=4_000)] = 4_000
    blocked_questions: tuple[str, ...] = ()
    refusal_messages: dict[str, str] = Field(default_factory=dict[str, str])
    max_top_k: Annotated[int, Field(ge=1, le=50)] = 20
    traces_allowed: bool = False
    log_texts: bool = False
    otlp_endpoint: Annotated[str, Field(pattern=r"^(https?://\S+)?$")] = ""
    answer_cache: Literal["off", "exact", "semantic"] = "off"
    answer_cache_seconds: Annotated[int, Field(ge=1, le=86_400)] = 900
    answer_cache_cosine: Annotated[float, Field(ge=0.5, le=1)] = 0.95
    metadata_schema: dict[str, MetadataField] = Field(default_factory=dict[str, MetadataField])
    metadata_violations: Literal["warn", "reject"] = "warn"
    requests_a_minute: Annotated[int | None, Field(ge=1)] = None
    tokens_a_day: Annotated[int | None, Field(ge=1)] = None
    tokens_a_day_in_all: Annotated[int | None, Field(ge=1)] = None
    conversation_days: Annotated[int, Field(ge=1, le=3_650)] = 90
    retry_base_seconds: Annotated[int, Field(ge=0, le=60)] = 5
    max_file_mb: Annotated[int, Field(ge=1, le=1_000)] = 100
    parse_seconds: Annotated[float, Field(gt=0, le=840)] = 60
    parse_memory_mb: Annotated[int, Field(ge=128, le=10_000)] = 1_024
    max_pages: Annotated[int, Field(ge=1, le=1_000_000)] = 10_000
    ocr: Literal["none", "textract", "rapidocr"] = "none"

    @field_validator("metadata_schema", "refusal_messages", mode="before")
    @classmethod
    def objects_are_json_in_the_environment(cls, value: object) -> object:
        return json.loads(value) if isinstance(value, str) else value

    @field_validator("models_allowed", "editors", "strategies_allowed", "rerankers_allowed", mode="before")
    @classmethod
    def texts_are_json_or_a_list_with_commas(cls, value: object) -> object:
        if not isinstance(value, str) or value.startswith("["):
            return json.loads(value) if isinstance(value, str) else value
        return [spec.strip() for spec in value.split(",") if spec.strip()]

    @field_validator("blocked_questions", mode="before")
    @classmethod
    def patterns_are_json_or_one_pattern(cls, value: object) -> object:
        if not isinstance(value, str):
            return value
        return json.loads(value) if value.startswith("[") else [value]

    @field_validator("blocked_questions")
    @classmethod
    def patterns_can_be_used(cls, patterns: tuple[str, ...]) -> tuple[str, ...]:
        for pattern in patterns:
            try:
                re.compile(pattern)
            except re.error as error:
                raise ValueError(f"{pattern!r} is no regular expression: {error}") from error
        return patterns

    @field_validator("refusal_messages")
    @classmethod
    def messages_are_for_reasons(cls, messages: dict[str, str]) -> dict[str, str]:
        known = [*(reason.value for reason in RefusalReason), "unclear"]
        if wrong := [name for name in messages if name.partition(".")[0] not in known]:
            raise ValueError(f"{', '.join(map(repr, wrong))}: write a reason, or reason.language; reasons are {known}")
        return messages

    @model_validator(mode="after")
    def overlaps_are_smaller(self) -> Self:
        for name, overlap, size in (
            ("chunk", self.overlap, self.chunk_size),
            ("fragment", self.fragment_overlap, self.fragment_size),
        ):
            if overlap * 2 > size:
                raise ValueError(f"{name}_overlap must be at most half of {name}_size (0 to {size // 2})")
        return self

    @model_validator(mode="after")
    def fragments_fit_in_sections_and_these_in_parents(self) -> Self:
        if not self.fragment_size <= self.section_size <= self.parent_size:
            raise ValueError(
                f"fragment_size ({self.fragment_size}) must be at most section_size ({self.section_size}), and "
                f"section_size at most parent_size ({self.parent_size})"
            )
        return self

    @model_validator(mode="after")
    def a_context_has_its_model(self) -> Self:
        if self.contextual_prefix and not self.context_model:
            raise ValueError("contextual_prefix needs a context_model, written provider:model")
        return self

    @property
    def overlap(self) -> int:
        """`chunk_overlap`, or 12 % of `chunk_size` where it is not set."""
        return self.chunk_size * DEFAULT_OVERLAP_PERCENT // 100 if self.chunk_overlap is None else self.chunk_overlap

    @property
    def models(self) -> tuple[str, ...]:
        """The specs of all that functions need of model providers."""
        counts_tokens = self.chunker == "token" or self.chunk_unit == "tokens"
        tokenizer = (self.tokenizer,) if counts_tokens else ()
        context = (self.context_model,) if self.contextual_prefix else ()
        fallback = (self.fallback_model,) if self.fallback_model else ()
        planner = (self.retrieval_model,) if self.retrieval_model else ()
        rerankers = tuple(spec.removeprefix("llm:") for spec in (self.reranker, *self.rerankers_allowed) if spec)
        readers = (self.reading_model, self.judge_model, self.reasoning_model, self.moderation_model)
        own = (self.embedder, self.chat_model, *self.models_allowed, *fallback, *planner, *filter(None, readers))
        return (*own, *rerankers, *tokenizer, *context)

    @classmethod
    def from_environment(cls, environment: Mapping[str, str]) -> Settings:
        """Read `RAGSTONE_*`; raises SettingsError that names each bad variable with its value."""
        given = {
            name.removeprefix(PREFIX).lower(): value
            for name, value in environment.items()
            if name.startswith(PREFIX) and name.removeprefix(PREFIX).lower() in cls.model_fields
        }
        return cls._checked(given, given)

    def changed(self, changes: Mapping[str, object]) -> Settings:
        """These settings with changes by field name; raises SettingsError that names each bad one with its value."""
        return self._checked({**self.model_dump(), **changes}, changes)

    @classmethod
    def _checked(cls, values: Mapping[str, object], given: Mapping[str, object]) -> Settings:
        try:
            return cls.model_validate(values)
        except ValidationError as error:
            raise SettingsError("; ".join(_sentence(p["loc"], p["msg"], given) for p in error.errors())) from error

    def to_environment(self) -> dict[str, str]:
        """The variables that read back to these settings; those at their default are left out."""
        values = self.model_dump(mode="json", exclude_defaults=True)
        return {
            f"{PREFIX}{name.upper()}": value if isinstance(value, str) else json.dumps(value)
            for name, value in values.items()
        }


def _sentence(location: tuple[int | str, ...], message: str, given: Mapping[str, object]) -> str:
    said = message.removeprefix("Value error, ")
    if not location:
        return said
    name = str(location[0])
    shown = f" (it is {given[name]!r})" if name in given else ""
    return f"{PREFIX}{name.upper()}{shown}: {said}{_allowed(name)}"


def _allowed(name: str) -> str:
    """The range of a field that has one."""
    limits = Settings.model_fields[name].metadata if name in Settings.model_fields else []
    least = [limit.ge for limit in limits if isinstance(limit, Ge)]
    most = [limit.le for limit in limits if isinstance(limit, Le)]
    return f"; allowed is {least[0]} to {most[0]}" if least and most else ""
