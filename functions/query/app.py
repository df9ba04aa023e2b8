"""The query function: an ASGI app behind the Lambda Web Adapter, and under uvicorn on a laptop."""

from __future__ import annotations

from fastapi import APIRouter, FastAPI

from ragstone.api.app import make_app
from ragstone.api.documents import DocumentRoutes
from ragstone.api.structured import StructuredRoutes
from ragstone.composition import build_answering, build_inbox, build_registry, build_table_store, read_settings
from ragstone.index import build_reader
from ragstone.settings import Settings


def build_app() -> FastAPI:
    """The factory that uvicorn calls once a process."""
    settings = read_settings()
    return make_app(answering=build_answering(settings), top_k=settings.top_k, routers=build_routers(settings))


def build_routers(settings: Settings) -> tuple[APIRouter, ...]:
    registry, inbox = build_registry(settings), build_inbox(settings)
    documents = DocumentRoutes(registry=registry, inbox=inbox, chunk_reader=build_reader(settings))
    structured = StructuredRoutes(registry=registry, store=build_table_store(settings), inbox=inbox)
    return documents.router, structured.router
