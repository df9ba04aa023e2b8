"""The routes, and the app that serves them under uvicorn and behind the Lambda Web Adapter alike."""

from __future__ import annotations

from collections.abc import Iterable
from uuid import uuid4

from fastapi import APIRouter, Depends, FastAPI, Request
from fastapi.responses import JSONResponse, Response, StreamingResponse

from ragstone.answering import Answering
from ragstone.api import problems
from ragstone.api.dependencies import Groups, only_json
from ragstone.api.schemas import QueryBody, answer_json
from ragstone.api.sse import server_sent

SSE_HEADERS = {"Cache-Control": "no-cache", "X-Accel-Buffering": "no"}


def make_app(*, answering: Answering, top_k: int, routers: Iterable[APIRouter] = ()) -> FastAPI:
    """The app with its queries and the given routers; its errors are problems, wherever they come from."""
    app = FastAPI(title="Ragstone", version="1", openapi_url="/v1/openapi.json", docs_url=None, redoc_url=None)
    app.include_router(_query_routes(answering, top_k))
    for router in routers:
        app.include_router(router)
    problems.install(app)
    return app


def _query_routes(answering: Answering, top_k: int) -> APIRouter:
    router = APIRouter(prefix="/v1")

    @router.get("/health")
    def health() -> dict[str, str]:
        return {"status": "ok"}

    @router.post("/query", response_model=None, dependencies=[Depends(only_json)])
    async def query(body: QueryBody, request: Request, groups: Groups) -> Response:
        asked = body.to_query(groups=groups, default_top_k=top_k)
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
