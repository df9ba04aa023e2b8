"""From passages to a checked answer, and the answers that are kept."""

from __future__ import annotations

from hashlib import sha256

from ragstone.answering import Answering
from ragstone.answering.assembly import Parts, assemble
from ragstone.answering.cache import AnswerCaching, Likeness
from ragstone.answering.confidence import plain_sum
from ragstone.answering.gates import EarlyGate
from ragstone.answering.memory_cache import MemoryAnswerCache
from ragstone.aws.answer_cache import DynamoAnswerCache
from ragstone.composition.calibration import build_calibration
from ragstone.composition.callers import owner_items
from ragstone.composition.resources import build_chat_model_for, build_embedder_for, build_registry
from ragstone.composition.retrieval import retriever_as_set
from ragstone.ports import CurrentVersions
from ragstone.settings import Settings


def build_answering(settings: Settings, *, registry: CurrentVersions | None = None) -> Answering:
    """The use case; `registry` says what is current in place of the settings' own."""
    calibration = build_calibration(settings)
    fitted = calibration.applied(settings) if calibration else settings
    parts = Parts(
        retriever=retriever_as_set(fitted, registry),
        gate=EarlyGate(
            min_confidence=fitted.min_confidence,
            min_coverage=fitted.min_coverage,
            confidence=calibration.confidence if calibration else plain_sum,
        ),
        embedder=build_embedder_for(settings),
        chat_model=lambda spec: build_chat_model_for(settings, spec),
    )
    return assemble(settings, parts)


def build_answer_cache(settings: Settings) -> AnswerCaching | None:
    """In the table of what belongs to callers, or in the memory of this process where the settings name none."""
    if settings.answer_cache == "off":
        return None
    items, seconds = owner_items(settings), settings.answer_cache_seconds
    is_semantic, at_least = settings.answer_cache == "semantic", settings.answer_cache_cosine
    return AnswerCaching(
        entries=DynamoAnswerCache(items, seconds=seconds) if items else MemoryAnswerCache(seconds=seconds),
        registry=build_registry(settings),
        settings=sha256(settings.model_dump_json().encode()).hexdigest(),
        likeness=Likeness(build_embedder_for(settings), at_least) if is_semantic else None,
    )
