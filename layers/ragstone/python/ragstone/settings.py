"""Runtime settings: read once from the environment into a typed model, never at import."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Annotated, Literal, Self

from annotated_types import Ge, Le
from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from ragstone.errors import SettingsError
from ragstone.metadata import MetadataField

PREFIX = "RAGSTONE_"
DEFAULT_OVERLAP_PERCENT = 12


class Settings(BaseModel):
    """Everything a function can be told; each field is the environment variable `RAGSTONE_<FIELD>`.

    `index_url` chooses the index: `lancedb:///absolute/path`, or the http(s) URL of an OpenSearch service.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    environment: str = "local"
    documents_bucket: str = ""
    reports_bucket: str = ""
    registry_table: str = ""
    ingest_queue_url: str = ""
    dead_letters_url: str = ""
    api_keys_secret: str = ""

    index_url: str
    index_name: Annotated[str, Field(pattern=r"^[a-z][a-z0-9-]{0,62}$")] = "chunks"
    index_auth: Literal["none", "es", "aoss"] = "none"
    index_profile: Literal["domain", "serverless", "lucene"] = "domain"

    embedder: str = "wordllama"
    embedding_cache_table: str = ""
    chat_model: str = "extractive"

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
    lexical_weight: Annotated[float | None, Field(ge=0, le=1)] = None
    search_back_matter: bool = False
    min_confidence: Annotated[float, Field(ge=0, le=1)] = 0.35
    min_coverage: Annotated[float, Field(ge=0, le=1)] = 0.5
    metadata_schema: dict[str, MetadataField] = Field(default_factory=dict[str, MetadataField])
    metadata_violations: Literal["warn", "reject"] = "warn"
    retry_base_seconds: Annotated[int, Field(ge=0, le=60)] = 5
    max_file_mb: Annotated[int, Field(ge=1, le=1_000)] = 100
    parse_seconds: Annotated[float, Field(gt=0, le=840)] = 60
    parse_memory_mb: Annotated[int, Field(ge=128, le=10_000)] = 1_024

    @field_validator("metadata_schema", mode="before")
    @classmethod
    def schema_is_json_in_the_environment(cls, value: object) -> object:
        return json.loads(value) if isinstance(value, str) else value

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
        return (self.embedder, self.chat_model, *tokenizer, *((self.context_model,) if self.contextual_prefix else ()))

    @classmethod
    def from_environment(cls, environment: Mapping[str, str]) -> Settings:
        """Read `RAGSTONE_*`; raises SettingsError that names each bad variable with its value."""
        given = {
            name.removeprefix(PREFIX).lower(): value
            for name, value in environment.items()
            if name.startswith(PREFIX) and name.removeprefix(PREFIX).lower() in cls.model_fields
        }
        try:
            return cls.model_validate(given)
        except ValidationError as error:
            raise SettingsError("; ".join(_sentence(p["loc"], p["msg"], given) for p in error.errors())) from error

    def to_environment(self) -> dict[str, str]:
        """The variables that read back to these settings; those at their default are left out."""
        values = self.model_dump(mode="json", exclude_defaults=True)
        return {
            f"{PREFIX}{name.upper()}": value if isinstance(value, str) else json.dumps(value)
            for name, value in values.items()
        }


def _sentence(location: tuple[int | str, ...], message: str, given: Mapping[str, str]) -> str:
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
