"""Puts the parts together as the settings say; the only place that knows them all."""

from ragstone.composition.answering import build_answer_cache, build_answering
from ragstone.composition.calibration import build_calibration
from ragstone.composition.callers import build_budgets, build_conversations, build_feedback, build_sharing
from ragstone.composition.ingestion import (
    build_chunking,
    build_dead_letters,
    build_ingestion,
    build_ingestion_embedder,
    build_reconciliation,
    build_retries,
)
from ragstone.composition.observers import build_observers
from ragstone.composition.resources import (
    build_chat_model_for,
    build_embedder_for,
    build_inbox,
    build_index_for,
    build_registry,
    build_store,
    build_table_store,
    read_settings,
)
from ragstone.composition.retrieval import build_retriever

__all__ = [
    "build_answer_cache",
    "build_answering",
    "build_budgets",
    "build_calibration",
    "build_chat_model_for",
    "build_chunking",
    "build_conversations",
    "build_dead_letters",
    "build_embedder_for",
    "build_feedback",
    "build_inbox",
    "build_index_for",
    "build_ingestion",
    "build_ingestion_embedder",
    "build_observers",
    "build_reconciliation",
    "build_registry",
    "build_retries",
    "build_retriever",
    "build_sharing",
    "build_store",
    "build_table_store",
    "read_settings",
]
