"""From a document in the bucket to its chunks in the index."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from ragstone.aws.change_queue import SqsChangeQueue
from ragstone.aws.clients import client, dynamodb
from ragstone.aws.dead_letters import DeadLetters
from ragstone.aws.retries import RetrySchedule
from ragstone.aws.vector_cache import DynamoVectorCache
from ragstone.composition.resources import (
    build_chat_model_for,
    build_embedder_for,
    build_inbox,
    build_index_for,
    build_registry,
    build_store,
)
from ragstone.embedding import CachedEmbedder
from ragstone.index import build_reader
from ragstone.ports import Embedder, ResumableParser
from ragstone.settings import Settings
from ragstone.sidecar import NOBODY

if TYPE_CHECKING:
    from ragstone.chunking.context import ContextWriter
    from ragstone.ingestion import Chunking, Ingestion
    from ragstone.ingestion.reconcile import Reconciliation

EMBEDDING_CACHE_DAYS = 90


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


def build_ingestion_embedder(settings: Settings) -> Embedder:
    """The same embedder, behind the cache that the settings name; questions and answers go without it."""
    embedder = build_embedder_for(settings)
    if not settings.embedding_cache_table:
        return embedder
    table = settings.embedding_cache_table
    return CachedEmbedder(embedder, DynamoVectorCache(dynamodb(), table=table, ttl_days=EMBEDDING_CACHE_DAYS))


def build_retries(settings: Settings) -> RetrySchedule:
    return RetrySchedule(client("sqs"), base_seconds=settings.retry_base_seconds)


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
