"""What every part rests on: settings, stores, the registry, the index, embedders and chat models; one a process."""

from __future__ import annotations

import json
import os
from collections.abc import MutableMapping
from functools import cache
from typing import TYPE_CHECKING

from ragstone.aws.clients import client, dynamodb, signing_s3
from ragstone.aws.document_registry import DynamoDocumentRegistry
from ragstone.aws.failures import translated
from ragstone.aws.inbox import S3Inbox
from ragstone.aws.object_store import S3ObjectStore
from ragstone.embedding import build_embedder
from ragstone.index import build_index
from ragstone.ports import ChatModel, ChunkIndex, DocumentRegistry, Embedder, Inbox, ObjectStore
from ragstone.settings import Settings
from ragstone.specs import Spec

if TYPE_CHECKING:
    from ragstone.models import Limits

MEGABYTE = 1_000_000
LARGEST_TABLE_MB = 25


def read_settings(environment: MutableMapping[str, str] = os.environ) -> Settings:
    """The settings, with the providers' API keys fetched into the environment where their SDKs look for them."""
    settings = Settings.from_environment(environment)
    if settings.api_keys_secret:
        with translated(f"the secret {settings.api_keys_secret}"):
            reply = client("secretsmanager").get_secret_value(SecretId=settings.api_keys_secret)
        for name, key in json.loads(reply["SecretString"]).items():
            environment.setdefault(name, key)
    return settings


def build_store(settings: Settings) -> ObjectStore:
    return S3ObjectStore(client("s3"), max_bytes=settings.max_file_mb * MEGABYTE)


def build_table_store(settings: Settings) -> ObjectStore:
    """For tables that are read as a whole while somebody waits."""
    return S3ObjectStore(client("s3"), max_bytes=LARGEST_TABLE_MB * MEGABYTE)


def build_inbox(settings: Settings) -> Inbox:
    return S3Inbox(signing_s3(), bucket=settings.documents_bucket)


def build_registry(settings: Settings) -> DocumentRegistry:
    """The registry of the index that the settings name: each index has its own truth."""
    return DynamoDocumentRegistry(dynamodb(), table=settings.registry_table, namespace=settings.index_name)


def build_index_for(settings: Settings) -> ChunkIndex:
    return build_index(settings, build_embedder_for(settings))


def build_embedder_for(settings: Settings) -> Embedder:
    """One embedder a spec and process: its weights and connections are shared."""
    return _embedder(settings.embedder)


_embedder = cache(build_embedder)


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
