"""What an index was built with, remembered with it: deployed settings may change before the index does."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, NamedTuple

from ragstone.errors import IndexMismatch, SettingsError
from ragstone.ports import Embedder
from ragstone.settings import Settings
from ragstone.types import Generation, Generations

DECIDING = (
    "breadcrumb_in_search_text",
    "chunk_overlap",
    "chunk_size",
    "chunk_unit",
    "chunker",
    "context_model",
    "contextual_prefix",
    "embedder",
    "fragment_overlap",
    "fragment_size",
    "max_dot_share",
    "min_chunk_characters",
    "ocr",
    "parent_size",
    "section_size",
    "semantic_max_paragraphs",
    "semantic_threshold",
    "table_size",
    "tokenizer",
)
"""The settings that decide on an index's chunks and vectors."""


class Difference(NamedTuple):
    """A setting that the deployment and a generation do not share."""

    name: str
    deployed: object
    built_with: object


def new_generation(settings: Settings, *, fingerprint: str, dimensions: int, now: datetime) -> Generation:
    """The next generation with these settings; its name tells with what and when it was begun."""
    name = f"{settings.index_name}-{fingerprint}-{now.astimezone(UTC):%Y%m%d%H%M%S}"
    return generation_of(settings.changed({"index_name": name}), dimensions=dimensions, now=now)


def generation_of(settings: Settings, *, dimensions: int, now: datetime) -> Generation:
    """The index that the settings name, as a generation."""
    values = {name: getattr(settings, name) for name in DECIDING}
    return Generation(settings.index_name, values, dimensions, now.isoformat(timespec="seconds"))


def settings_of(generation: Generation, deployed: Settings) -> Settings:
    """The deployed settings with what the generation was built with instead, and its name."""
    return deployed.changed({**generation.settings, "index_name": generation.name})


def with_changes(deployed: Settings, changes: Mapping[str, str]) -> Settings:
    """The settings of an index that is to be built; raises SettingsError for what does not decide on an index."""
    if unknown := sorted(changes.keys() - set(DECIDING)):
        raise SettingsError(f"{', '.join(unknown)} does not decide on an index; known are {', '.join(DECIDING)}")
    return deployed.changed(changes)


def differences(generation: Generation, deployed: Settings) -> tuple[Difference, ...]:
    built_with = settings_of(generation, deployed)
    pairs = (Difference(name, getattr(deployed, name), getattr(built_with, name)) for name in DECIDING)
    return tuple(pair for pair in pairs if pair.deployed != pair.built_with)


def as_json(generations: Generations, deployed: Settings) -> dict[str, Any]:
    """The generations by name, each with the settings in which it differs from the deployment."""

    def shown(generation: Generation | None) -> dict[str, Any] | None:
        if generation is None:
            return None
        different = {each.name: each.built_with for each in differences(generation, deployed)}
        return {"name": generation.name, "settings": different, "started_at": generation.started_at}

    live, other = shown(generations.live), shown(generations.other)
    return {"live": live, "other": other, "role": generations.role, "changed_at": generations.changed_at}


def require_dimensions(generation: Generation, embedder: Embedder, *, advice: str) -> None:
    """Raise IndexMismatch if the embedder no longer makes the vectors that the index holds."""
    if embedder.dimensions != generation.dimensions:
        raise IndexMismatch(
            f"index {generation.name!r} holds vectors of {embedder.spec!r} with {generation.dimensions} dimensions, "
            f"but now these have {embedder.dimensions}: build a new index with: {advice}"
        )
