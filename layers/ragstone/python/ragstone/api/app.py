"""The routes, and the app that serves them under uvicorn and behind the Lambda Web Adapter alike."""

from __future__ import annotations

from typing import Annotated, Any
from uuid import uuid4

from fastapi import APIRouter, FastAPI, Query, Request
from fastapi.responses import JSONResponse, Response, StreamingResponse

from ragstone.answering import Answering
from ragstone.api import problems
from ragstone.api.caller import groups_of
from ragstone.api.schemas import QueryBody, answer_json, document_json
from ragstone.api.sse import server_sent
from ragstone.ports import DocumentRegistry

SSE_HEADERS = {"Cache-Control": "no-cache", "X-Accel-Buffering": "no"}


def make_app(*, answering: Answering, registry: DocumentRegistry, top_k: int) -> FastAPI:
    app = FastAPI(title="Ragstone", version="1", openapi_url="/v1/openapi.json", docs_url=None, redoc_url=None)
    app.include_router(_query_routes(answering, top_k))
    app.include_router(_document_routes(registry))
    problems.install(app)
    return app


def _query_routes(answering: Answering, top_k: int) -> APIRouter:
    router = APIRouter(prefix="/v1")

    @router.post("/query", response_model=None)
    async def query(body: QueryBody, request: Request) -> Response:
        asked = body.to_query(groups=groups_of(request.headers), default_top_k=top_k)
        if not body.stream:
            return JSONResponse(answer_json(await answering.answer(asked)))
        events = answering.stream(asked)
        # The first event comes after retrieval: what fails until then is still answered with a status.
        first = await anext(events)
        trace_id = request.headers.get("x-amzn-trace-id") or uuid4().hex
        return StreamingResponse(
            server_sent(first, events, trace_id), media_type="text/event-stream", headers=SSE_HEADERS
        )

    return router


def _document_routes(registry: DocumentRegistry) -> APIRouter:
    router = APIRouter(prefix="/v1")

    @router.get("/documents")
    def documents(limit: Annotated[int, Query(ge=1, le=1000)] = 100, cursor: str | None = None) -> dict[str, Any]:
        page = registry.page(limit=limit, cursor=cursor)
        return {"documents": [document_json(record) for record in page.documents], "cursor": page.cursor}

    @router.get("/documents/{document_id}", response_model=None)
    def document(document_id: str) -> Response:
        record = registry.get(document_id)
        if record is None:
            return problems.problem(404, "unknown_document", "No document has this id; GET /v1/documents lists them.")
        return JSONResponse(document_json(record))

    @router.get("/health")
    def health() -> dict[str, str]:
        return {"status": "ok"}

    return router
