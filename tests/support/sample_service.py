"""The samples on an embedded index, and all that answers questions about them, as a laptop has it without its cloud."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from fastapi import FastAPI

from ragstone.api.app import make_app
from ragstone.api.queries import Asking
from ragstone.cli.inbox import files_under
from ragstone.cli.local import script
from ragstone.cli.local.places import SAMPLES
from ragstone.composition import build_answering, build_chunking, build_embedder_for, build_index_for
from ragstone.ingestion import Ingestion
from ragstone.ports import AnswerObserver
from ragstone.settings import Settings
from ragstone.types import ChangeKind, ObjectChange, ObjectRef
from tests.support.fake_registry import FakeRegistry
from tests.support.fake_store import FakeStore, etag_of
from tests.support.parsing import parse

SCRIPT = script.read(SAMPLES / "demo.toml")


def sample_questions() -> list[str]:
    """Those that the samples answer."""
    return [case.question for case in SCRIPT.answered]


def sample_app(folder: Path, *, observers: Sequence[AnswerObserver] = ()) -> FastAPI:
    """The app over the samples, indexed in the folder."""
    settings = Settings(index_url=f"lancedb://{folder}")
    registry = _ingested(settings)
    answering = replace(build_answering(settings, registry=registry), observers=observers)
    return make_app(Asking(answering=answering, top_k=settings.top_k))


def _ingested(settings: Settings) -> FakeRegistry:
    store, registry = FakeStore(), FakeRegistry()
    ingestion = Ingestion(
        store=store,
        registry=registry,
        index=build_index_for(settings),
        embedder=build_embedder_for(settings),
        chunking=build_chunking(settings),
        parse=parse,
    )
    for path, source in files_under(SAMPLES / SCRIPT.documents):
        place, content = ObjectRef("bucket", f"inbox/{source}"), path.read_bytes()
        store.put(place.bucket, place.key, content)
        ingestion.apply(ObjectChange(ChangeKind.CREATED, place, "1", etag_of(content)))
    return registry
