"""Puts the parts together as the settings say; the only place that knows them all."""

from __future__ import annotations

import json
import os
from collections.abc import MutableMapping
from functools import cache
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from ragstone.answering import Answering
from ragstone.answering.assembly import Parts, assemble
from ragstone.answering.cache import AnswerCaching, Likeness
from ragstone.answering.calibration import Calibration
from ragstone.answering.confidence import plain_sum
from ragstone.answering.gates import EarlyGate
from ragstone.answering.memory_cache import MemoryAnswerCache
from ragstone.aws.answer_cache import DynamoAnswerCache
from ragstone.aws.change_queue import SqsChangeQueue
from ragstone.aws.clients import client, dynamodb, signing_s3
from ragstone.aws.conversations import DynamoConversations, DynamoShares, DynamoTurns
from ragstone.aws.dead_letters import DeadLetters
from ragstone.aws.document_registry import DynamoDocumentRegistry
from ragstone.aws.failures import translated
from ragstone.aws.inbox import S3Inbox
from ragstone.aws.object_store import S3ObjectStore
from ragstone.aws.owner_items import OwnerItems
from ragstone.aws.retries import RetrySchedule
from ragstone.aws.usage import DynamoUsageMeter
from ragstone.aws.vector_cache import DynamoVectorCache
from ragstone.budgets import Budgets, Spending
from ragstone.conversations.conversations import Conversations
from ragstone.conversations.feedback import FeedbackBook
from ragstone.conversations.recording import Recording
from ragstone.conversations.sharing import Sharing
from ragstone.embedding import CachedEmbedder, build_embedder
from ragstone.errors import SettingsError
from ragstone.index import build_index, build_reader
from ragstone.observability import logger
from ragstone.observability.answers import AnswerLog
from ragstone.ports import (
    AnswerObserver,
    ChatModel,
    ChunkIndex,
    CurrentVersions,
    DocumentRegistry,
    Embedder,
    Inbox,
    ObjectStore,
    ResumableParser,
)
from ragstone.reranking import build_reranker
from ragstone.retrieval import Candidates, StagedRetriever, Tools, staged_retriever
from ragstone.settings import Settings
from ragstone.sidecar import NOBODY
from ragstone.specs import Spec
from ragstone.types import ObjectRef

if TYPE_CHECKING:
    from ragstone.chunking.context import ContextWriter
    from ragstone.ingestion import Chunking, Ingestion
    from ragstone.ingestion.reconcile import Reconciliation
    from ragstone.models import Limits

MEGABYTE = 1_000_000
LARGEST_TABLE_MB = 25
EMBEDDING_CACHE_DAYS = 90


def read_settings(environment: MutableMapping[str, str] = os.environ) -> Settings:
    """The settings, with the providers' API keys fetched into the environment where their SDKs look for them."""
    settings = Settings.from_environment(environment)
    if settings.api_keys_secret:
        with translated(f"the secret {settings.api_keys_secret}"):
            reply = client("secretsmanager").get_secret_value(SecretId=settings.api_keys_secret)
        for name, key in json.loads(reply["SecretString"]).items():
            environment.setdefault(name, key)
    return settings


def build_ingestion(settings: Settings) -> Ingestion:
    """Only the ingest and evaluation functions carry the splitters and the parsers' libraries."""
    from ragstone.ingestion import PARSER_GENERATION, CachedParse, Ingestion

    store = build_store(settings)
    parser = _parser(settings.parse_seconds, settings.parse_memory_mb, settings.max_file_mb, settings.max_pages)
    return Ingestion(
        store=store,
        registry=build_registry(settings),
        index=build_index_for(settings),
        embedder=build_ingestion_embedder(settings),
        chunking=build_chunking(settings),
        parse=CachedParse(
            parse=_with_ocr(parser, settings),
            store=store,
            bucket=settings.reports_bucket,
            generation=f"{PARSER_GENERATION}|{settings.ocr}",
        ),
        ocr=settings.ocr,
        schema=settings.metadata_schema,
        reject_violations=settings.metadata_violations == "reject",
        hidden=settings.editors or NOBODY,
    )


@cache
def _parser(seconds: float, memory_mb: int, file_mb: int, pages: int) -> ResumableParser:
    """One a process, whichever indexes it feeds: its idle workers hold memory."""
    from ragstone.parsing.isolated import IsolatedParser, Limits

    return IsolatedParser(Limits(seconds=seconds, memory_mb=memory_mb, file_mb=file_mb, pages=pages))


def _with_ocr(parse: ResumableParser, settings: Settings) -> ResumableParser:
    """The parser, with what the settings name reading the pages that it finds no text on."""
    if settings.ocr == "none":
        return parse
    from ragstone.parsing.pdf_scans import WithOcr

    if settings.ocr == "rapidocr":
        from ragstone.parsing.ocr_rapidocr import RapidOcr

        return WithOcr(parse=parse, ocr=RapidOcr())
    from ragstone.parsing.ocr_textract import TextractOcr

    return WithOcr(parse=parse, ocr=TextractOcr(client("textract"), client("s3"), bucket=settings.reports_bucket))


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

    model = build_chat_model_for(settings, settings.context_model)
    return ContextWriter(model=model, store=build_store(settings), bucket=settings.reports_bucket)


def build_answering(settings: Settings, *, registry: CurrentVersions | None = None) -> Answering:
    """The use case; `registry` says what is current in place of the settings' own."""
    calibration = build_calibration(settings)
    fitted = calibration.applied(settings) if calibration else settings
    parts = Parts(
        retriever=_retriever(fitted, registry),
        gate=EarlyGate(
            min_confidence=fitted.min_confidence,
            min_coverage=fitted.min_coverage,
            confidence=calibration.confidence if calibration else plain_sum,
        ),
        embedder=build_embedder_for(settings),
        chat_model=lambda spec: build_chat_model_for(settings, spec),
    )
    return assemble(settings, parts)


def build_observers(settings: Settings) -> tuple[AnswerObserver, ...]:
    """Who is told of each answer that a caller asked for."""
    conversations, budgets = build_conversations(settings), build_budgets(settings)
    chosen = {"strategy": settings.strategy, "chat_model": settings.chat_model, "embedder": settings.embedder}
    log = AnswerLog(
        environment=settings.environment,
        strategy=settings.strategy,
        chat_model=settings.chat_model,
        log_texts=settings.log_texts,
    )
    spending = [Spending(budgets)] if budgets else []
    recording = [Recording(conversations=conversations, settings=chosen)] if conversations else []
    return (log, *spending, *recording, *_answer_spans(settings))


def _answer_spans(settings: Settings) -> tuple[AnswerObserver, ...]:
    """The standard's own variable names an endpoint too; without one, OpenTelemetry is not imported."""
    endpoint = settings.otlp_endpoint or os.environ.get("OTEL_EXPORTER_OTLP_ENDPOINT", "")
    if not endpoint:
        return ()
    if find_spec("opentelemetry.sdk") is None:
        logger.warning("no traces are sent: only otlp_endpoint in the environment's file deploys OpenTelemetry")
        return ()
    from ragstone.observability.spans import AnswerSpans

    return (AnswerSpans(endpoint=endpoint, environment=settings.environment, with_texts=settings.log_texts),)


def build_answer_cache(settings: Settings) -> AnswerCaching | None:
    """In the table of what belongs to callers, or in the memory of this process where the settings name none."""
    if settings.answer_cache == "off":
        return None
    items, seconds = _owner_items(settings), settings.answer_cache_seconds
    is_semantic, at_least = settings.answer_cache == "semantic", settings.answer_cache_cosine
    return AnswerCaching(
        entries=DynamoAnswerCache(items, seconds=seconds) if items else MemoryAnswerCache(seconds=seconds),
        registry=build_registry(settings),
        settings=sha256(settings.model_dump_json().encode()).hexdigest(),
        likeness=Likeness(build_embedder_for(settings), at_least) if is_semantic else None,
    )


def build_calibration(settings: Settings) -> Calibration | None:
    """The file that the settings name, a path or an s3:// URI; raises SettingsError if it is not there or is none."""
    place = settings.calibration
    if not place:
        return None
    if place.startswith("s3://"):
        bucket, _, key = place.removeprefix("s3://").partition("/")
        stored = build_store(settings).read(ObjectRef(bucket, key))
        content = stored.content if stored else None
    else:
        content = Path(place).read_bytes() if Path(place).is_file() else None
    if content is None:
        raise SettingsError(f"RAGSTONE_CALIBRATION is {place!r}, and nothing is there. Write it: ragstone calibrate")
    return Calibration.read(content, place)


def build_conversations(settings: Settings) -> Conversations | None:
    """None where the settings name no table for them."""
    items = _owner_items(settings)
    if items is None:
        return None
    return Conversations(store=DynamoConversations(items), turns=DynamoTurns(items), registry=build_registry(settings))


def build_sharing(settings: Settings) -> Sharing | None:
    items, conversations = _owner_items(settings), build_conversations(settings)
    return Sharing(conversations=conversations, shares=DynamoShares(items)) if items and conversations else None


def build_feedback(conversations: Conversations) -> FeedbackBook:
    return FeedbackBook(turns=conversations.turns, registry=conversations.registry)


def build_budgets(settings: Settings) -> Budgets | None:
    items = _owner_items(settings)
    if items is None:
        return None
    return Budgets(
        meter=DynamoUsageMeter(items),
        requests_a_minute=settings.requests_a_minute,
        tokens_a_day=settings.tokens_a_day,
        tokens_a_day_in_all=settings.tokens_a_day_in_all,
    )


def _owner_items(settings: Settings) -> OwnerItems | None:
    if not settings.conversations_table:
        return None
    return OwnerItems(dynamodb(), table=settings.conversations_table, ttl_days=settings.conversation_days)


def build_retriever(settings: Settings, *, registry: CurrentVersions | None = None) -> StagedRetriever:
    """The strategies and rerankers that a query may choose among; raises SettingsError for one that is not known."""
    calibration = build_calibration(settings)
    return _retriever(calibration.applied(settings) if calibration else settings, registry)


def _retriever(settings: Settings, registry: CurrentVersions | None) -> StagedRetriever:
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
    return staged_retriever(settings, tools, build_reranker)


def _build_retrieval_model(settings: Settings) -> ChatModel | None:
    """The chat model that plans and translates: one of its own, or the one that answers if a model does."""
    spec = settings.retrieval_model or settings.chat_model
    return None if spec == "extractive" else build_chat_model_for(settings, spec)


def build_chat_model_for(settings: Settings, spec: str) -> ChatModel:
    """A chat model within the settings' time-outs, and their fallback for when it fails; its connections are shared."""
    from ragstone.models import FallbackChatModel, Limits

    limits = Limits.from_settings(settings)
    model = _chat_model(spec, limits)
    if not settings.fallback_model or Spec.parse(settings.fallback_model) == Spec.parse(spec):
        return model
    return FallbackChatModel(first=model, second=_chat_model(settings.fallback_model, limits))


@cache
def _chat_model(spec: str, limits: Limits) -> ChatModel:
    from ragstone.models import build_chat_model

    return build_chat_model(spec, limits)


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
        reader=build_reader(settings),
        changes=SqsChangeQueue(client("sqs"), queue_url=settings.ingest_queue_url),
        fingerprint=build_ingestion(settings).fingerprint,
    )
