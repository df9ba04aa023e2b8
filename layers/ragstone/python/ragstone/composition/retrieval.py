"""From a question to the passages that an answer may rest on."""

from __future__ import annotations

from functools import partial

from ragstone.composition.calibration import build_calibration
from ragstone.composition.resources import build_chat_model_for, build_embedder_for, build_index_for, build_registry
from ragstone.index import build_reader
from ragstone.ports import ChatModel, CurrentVersions
from ragstone.reranking import build_reranker
from ragstone.retrieval import Candidates, StagedRetriever, Tools, staged_retriever
from ragstone.settings import Settings


def build_retriever(settings: Settings, *, registry: CurrentVersions | None = None) -> StagedRetriever:
    """The strategies and rerankers that a query may choose among; raises SettingsError for one that is not known."""
    calibration = build_calibration(settings)
    return retriever_as_set(calibration.applied(settings) if calibration else settings, registry)


def retriever_as_set(settings: Settings, registry: CurrentVersions | None) -> StagedRetriever:
    """With these very settings, whatever calibration they name."""
    embedder, weight = build_embedder_for(settings), settings.lexical_weight
    tools = Tools(
        candidates=Candidates(
            embedder=embedder,
            index=build_index_for(settings),
            registry=registry or build_registry(settings),
            depth=settings.candidate_depth,
            search_back_matter=settings.search_back_matter,
        ),
        reader=build_reader(settings),
        model=lambda: _build_retrieval_model(settings),
        lexical_weight=embedder.lexical_weight if weight is None else weight,
    )
    reranker = partial(build_reranker, chat_model=partial(build_chat_model_for, settings))
    return staged_retriever(settings, tools, reranker)


def _build_retrieval_model(settings: Settings) -> ChatModel | None:
    """The chat model that plans and translates: one of its own, or the one that answers if a model does."""
    spec = settings.retrieval_model or settings.chat_model
    return None if spec == "extractive" else build_chat_model_for(settings, spec)
