"""Puts the parts together as the settings say; the only place that knows them all."""

from __future__ import annotations

import json
import os
from collections.abc import MutableMapping
from functools import cache
from typing import TYPE_CHECKING

from ragstone.answering import Answering
from ragstone.answering.chat import ChatAnswerer
from ragstone.answering.extractive import ExtractiveAnswerer
from ragstone.answering.gates import EarlyGate
from ragstone.aws.change_queue import SqsChangeQueue
from ragstone.aws.clients import client, dynamodb, signing_s3
from ragstone.aws.dead_letters import DeadLetters
from ragstone.aws.document_registry import DynamoDocumentRegistry
from ragstone.aws.inbox import S3Inbox
from ragstone.aws.object_store import S3ObjectStore
from ragstone.aws.retries import RetrySchedule
from ragstone.aws.vector_cache import DynamoVectorCache
from ragstone.embedding import CachedEmbedder, build_embedder
from ragstone.index import build_index
from ragstone.ports import Answerer, ChunkIndex, DocumentRegistry, Embedder, Inbox, ObjectStore
from ragstone.retrieval import HybridRetriever
from ragstone.settings import Settings

if TYPE_CHECKING:
    from ragstone.chunking.context import ContextWriter
    from ragstone.ingestion import Chunking, Ingestion
    from ragstone.ingestion.reconcile import Reconciliation

MEGABYTE = 1_000_000
LARGEST_TABLE_MB = 25
EMBEDDING_CACHE_DAYS = 90


def read_settings(environment: MutableMapping[str, str] = os.environ) -> Settings:
    """The settings, with the providers' API keys fetched into the environment where their SDKs look for them."""
    settings = Settings.from_environment(environment)
    if settings.api_keys_secret:
        reply = client("secretsmanager").get_secret_value(SecretId=settings.api_keys_secret)
        for name, key in json.loads(reply["SecretString"]).items():
            environment.setdefault(name, key)
    return settings


def build_ingestion(settings: Settings) -> Ingestion:
    """Only the ingest and evaluation functions carry the splitters and the parsers' libraries."""
    from ragstone.ingestion import PARSER_GENERATION, CachedParse, Ingestion
    from ragstone.parsing.isolated import IsolatedParser, Limits

    store = build_store(settings)
    limits = Limits(seconds=settings.parse_seconds, memory_mb=settings.parse_memory_mb, file_mb=settings.max_file_mb)
    return Ingestion(
        store=store,
        registry=build_registry(settings),
        index=build_index_for(settings),
        embedder=build_ingestion_embedder(settings),
        chunking=build_chunking(settings),
        parse=CachedParse(
            parse=IsolatedParser(limits), store=store, bucket=settings.reports_bucket, generation=PARSER_GENERATION
        ),
        schema=settings.metadata_schema,
        reject_violations=settings.metadata_violations == "reject",
    )


def build_chunking(settings: Settings) -> Chunking:
    from ragstone.chunking import build_chunker
    from ragstone.chunking.filters import ChunkFilters
    from ragstone.ingestion import Chunking

    return Chunking(
        chunker=build_chunker(settings, lambda: build_ingestion_embedder(settings)),
        filters=ChunkFilters.from_settings(settings),
        context=_build_context(settings) if settings.contextual_prefix else None,
        breadcrumb=settings.breadcrumb_in_search_text,
    )


def _build_context(settings: Settings) -> ContextWriter:
    from ragstone.chunking.context import ContextWriter
    from ragstone.models import build_chat_model

    model = build_chat_model(settings.context_model)
    return ContextWriter(model=model, store=build_store(settings), bucket=settings.reports_bucket)


def build_answering(settings: Settings) -> Answering:
    embedder = build_embedder_for(settings)
    answerer = build_answerer(settings, embedder)
    return Answering(
        retriever=HybridRetriever(
            embedder=embedder,
            index=build_index_for(settings),
            registry=build_registry(settings),
            depth=settings.candidate_depth,
            lexical_weight=embedder.lexical_weight if settings.lexical_weight is None else settings.lexical_weight,
            search_back_matter=settings.search_back_matter,
        ),
        gate=EarlyGate(
            min_confidence=settings.min_confidence,
            min_coverage=settings.min_coverage if isinstance(answerer, ExtractiveAnswerer) else 0.0,
        ),
        answerer=answerer,
    )


def build_answerer(settings: Settings, embedder: Embedder) -> Answerer:
    """`extractive`, or any chat model by its spec."""
    if settings.chat_model == "extractive":
        return ExtractiveAnswerer(embedder)
    from ragstone.models import build_chat_model

    return ChatAnswerer(build_chat_model(settings.chat_model))


def build_embedder_for(settings: Settings) -> Embedder:
    """One embedder a spec and process: its weights and connections are shared."""
    return _embedder(settings.embedder)


_embedder = cache(build_embedder)


def build_ingestion_embedder(settings: Settings) -> Embedder:
    """The same embedder, behind the cache that the settings name; questions and answers go without it."""
    embedder = build_embedder_for(settings)
    if not settings.embedding_cache_table:
        return embedder
    table = settings.embedding_cache_table
    return CachedEmbedder(embedder, DynamoVectorCache(dynamodb(), table=table, ttl_days=EMBEDDING_CACHE_DAYS))


def build_index_for(settings: Settings) -> ChunkIndex:
    return build_index(settings, build_embedder_for(settings))


def build_store(settings: Settings) -> ObjectStore:
    return S3ObjectStore(client("s3"), max_bytes=settings.max_file_mb * MEGABYTE)


def build_retries(settings: Settings) -> RetrySchedule:
    return RetrySchedule(client("sqs"), base_seconds=settings.retry_base_seconds)


def build_registry(settings: Settings) -> DocumentRegistry:
    """The registry of the index that the settings name: each index has its own truth."""
    return DynamoDocumentRegistry(dynamodb(), table=settings.registry_table, namespace=settings.index_name)


def build_inbox(settings: Settings) -> Inbox:
    return S3Inbox(signing_s3(), bucket=settings.documents_bucket)


def build_table_store(settings: Settings) -> ObjectStore:
    """For tables that are read as a whole while somebody waits."""
    return S3ObjectStore(client("s3"), max_bytes=LARGEST_TABLE_MB * MEGABYTE)


def build_dead_letters(settings: Settings) -> DeadLetters:
    return DeadLetters(client("sqs"), dead_letters_url=settings.dead_letters_url, queue_url=settings.ingest_queue_url)


def build_reconciliation(settings: Settings) -> Reconciliation:
    from ragstone.ingestion.reconcile import Reconciliation

    return Reconciliation(
        inbox=build_inbox(settings),
        registry=build_registry(settings),
        index=build_index_for(settings),
        changes=SqsChangeQueue(client("sqs"), queue_url=settings.ingest_queue_url),
        fingerprint=build_ingestion(settings).fingerprint,
    )
