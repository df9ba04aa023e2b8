"""The query function: an ASGI app behind the Lambda Web Adapter, and under uvicorn on a laptop."""

from __future__ import annotations

from fastapi import FastAPI

from ragstone.api.app import make_app
from ragstone.composition import build_answering, build_registry, read_settings


def build_app() -> FastAPI:
    """The factory that uvicorn calls once a process."""
    settings = read_settings()
    return make_app(answering=build_answering(settings), registry=build_registry(settings), top_k=settings.top_k)
