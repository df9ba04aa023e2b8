"""Puts together what a deployment needs to replace its index by another while it is used."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from ragstone.aws.change_queue import SqsChangeQueue
from ragstone.aws.clients import client, dynamodb
from ragstone.aws.generation_pointer import DynamoGenerationPointer
from ragstone.composition import build_embedder_for, build_inbox, build_index_for, build_ingestion, build_registry
from ragstone.errors import ReindexRefused
from ragstone.generations import built_with
from ragstone.generations.steps import Steps
from ragstone.index import build_aliases
from ragstone.observability import logger
from ragstone.ports import GenerationPointer
from ragstone.settings import Settings
from ragstone.types import Generation, Generations, Role

if TYPE_CHECKING:
    from ragstone.generations.coverage import Coverage
    from ragstone.generations.every import EveryGeneration

LONGEST_PAUSE = 16
"""Between two tries of a message and for the second one, in base delays: of five tries, the last comes after eight."""


def build_pointer(deployed: Settings) -> GenerationPointer:
    return DynamoGenerationPointer(dynamodb(), table=deployed.registry_table, name=deployed.index_name)


def live_generation(deployed: Settings) -> Generation | None:
    """The one that answers questions; None where ingestion has not begun, or not since there are generations."""
    found = build_pointer(deployed).read()
    return found and found.live


def settings_for(generation: Generation | None, deployed: Settings) -> Settings:
    """The deployed settings with what a generation was built with instead; without one, just as they are.

    Says in the log where the two differ, and raises IndexMismatch if the generation's embedder has changed.
    """
    if generation is None:
        return deployed
    if different := built_with.differences(generation, deployed):
        logger.warning(
            "an index has other settings than the deployment, whose own wait for the command",
            index=generation.name,
            command=_command(deployed),
            differences=[each._asdict() for each in different],
        )
    settings = built_with.settings_of(generation, deployed)
    built_with.require_dimensions(generation, build_embedder_for(settings), advice=_command(deployed))
    return settings


def build_steps(deployed: Settings) -> Steps:
    return Steps(
        pointer=build_pointer(deployed),
        first=lambda: _first_generation(deployed),
        index=lambda generation: build_index_for(built_with.settings_of(generation, deployed)),
        aliases=build_aliases(deployed),
    )


def _first_generation(deployed: Settings) -> Generation:
    """The index that was there before there were generations, else a new one."""
    if not build_registry(deployed).page(limit=1).documents:
        return next_generation(deployed, {})
    dimensions = build_embedder_for(deployed).dimensions
    return built_with.generation_of(deployed, dimensions=dimensions, now=datetime.now(UTC))


def next_generation(deployed: Settings, changes: Mapping[str, str]) -> Generation:
    """One that is to be built; its embedder is asked once, so that one that can't be used is refused at once."""
    settings = built_with.with_changes(deployed, changes)
    embedder = build_embedder_for(settings)
    embedder.embed_query("Does it answer?")
    fingerprint = build_ingestion(settings).fingerprint
    return built_with.new_generation(
        settings, fingerprint=fingerprint, dimensions=embedder.dimensions, now=datetime.now(UTC)
    )


def build_every_generation(deployed: Settings) -> EveryGeneration:
    from ragstone.generations.every import EveryGeneration

    return EveryGeneration(
        generations=build_steps(deployed).generations,
        ingestion=lambda generation: build_ingestion(settings_for(generation, deployed)),
    )


def build_coverage(deployed: Settings, generations: Generations) -> Coverage:
    """Of the generation that may be swapped in; raises ReindexRefused if there is none."""
    from ragstone.generations.coverage import Coverage

    other = generations.other
    if other is None or generations.role is Role.DROPPED:
        raise ReindexRefused(f"no index stands beside {generations.live.name}; build one with: {_command(deployed)}")
    settings = settings_for(other, deployed)
    return Coverage(
        inbox=build_inbox(settings),
        registry=build_registry(settings),
        live=build_registry(built_with.settings_of(generations.live, deployed)),
        changes=SqsChangeQueue(client("sqs"), queue_url=settings.ingest_queue_url),
        fingerprint=build_ingestion(settings).fingerprint,
        begun_at=datetime.fromisoformat(other.started_at),
        patience=timedelta(seconds=LONGEST_PAUSE * settings.retry_base_seconds),
    )


def _command(deployed: Settings) -> str:
    return f"ragstone reindex --env {deployed.environment}"
