"""The app that serves all routes, under uvicorn and behind the Lambda Web Adapter alike."""

from __future__ import annotations

from collections.abc import Iterable

from fastapi import APIRouter, FastAPI
from starlette.routing import Route
from starlette.types import ASGIApp

from ragstone.api import problems
from ragstone.api.body_limit import BodyLimit
from ragstone.api.completions import CompletionRoutes
from ragstone.api.queries import Asking, QueryRoutes


def make_app(asking: Asking, routers: Iterable[APIRouter] = (), *, mcp: ASGIApp | None = None) -> FastAPI:
    """The app with its queries, the given routers and an MCP server; errors of its routes are problems."""
    app = FastAPI(title="Ragstone", version="1", openapi_url="/v1/openapi.json", docs_url=None, redoc_url=None)
    for router in (QueryRoutes(asking=asking).router, CompletionRoutes(asking=asking).router, *routers):
        app.include_router(router, responses=problems.RESPONSES)
    if mcp:
        app.router.routes.append(Route("/mcp", mcp, methods=["GET", "POST", "DELETE"], include_in_schema=False))
    problems.install(app)
    app.add_middleware(BodyLimit)
    return app
