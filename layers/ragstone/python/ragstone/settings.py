"""Runtime settings: read once from the environment into a typed model, never at import."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from ragstone.errors import SettingsError

PREFIX = "RAGSTONE_"


class Settings(BaseModel):
    """Everything a function can be told; each field is the environment variable `RAGSTONE_<FIELD>`.

    `index_url` chooses the index: `lancedb:///absolute/path`, or the http(s) URL of an OpenSearch service.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    environment: str = "local"
    documents_bucket: str = ""
    reports_bucket: str = ""
    registry_table: str = ""
    api_keys_secret: str = ""

    index_url: str
    index_name: Annotated[str, Field(pattern=r"^[a-z][a-z0-9-]{0,62}$")] = "chunks"
    index_auth: Literal["none", "es", "aoss"] = "none"
    index_profile: Literal["domain", "serverless", "lucene"] = "domain"

    embedder: str = "wordllama"
    embedding_cache_table: str = ""
    chat_model: str = "extractive"
    chunker: str = "recursive"
    chunk_size: Annotated[int, Field(ge=100, le=20_000)] = 1_000
    chunk_overlap: Annotated[int, Field(ge=0, le=5_000)] = 120

    top_k: Annotated[int, Field(ge=1, le=50)] = 5
    candidate_depth: Annotated[int, Field(ge=10, le=500)] = 50
    lexical_weight: Annotated[float | None, Field(ge=0, le=1)] = None
    min_confidence: Annotated[float, Field(ge=0, le=1)] = 0.35
    min_coverage: Annotated[float, Field(ge=0, le=1)] = 0.5
    retry_base_seconds: Annotated[int, Field(ge=0, le=60)] = 5
    max_file_mb: Annotated[int, Field(ge=1, le=1_000)] = 100

    @model_validator(mode="after")
    def overlap_is_smaller(self) -> Self:
        if self.chunk_overlap * 2 > self.chunk_size:
            raise ValueError(f"chunk_overlap must be at most half of chunk_size ({self.chunk_size // 2})")
        return self

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
        return {f"{PREFIX}{name.upper()}": str(value) for name, value in self.model_dump(exclude_defaults=True).items()}


def _sentence(location: tuple[int | str, ...], message: str, given: Mapping[str, str]) -> str:
    name = str(location[0]) if location else "settings"
    shown = f" (it is {given[name]!r})" if name in given else ""
    return f"{PREFIX}{name.upper()}{shown}: {message}"
