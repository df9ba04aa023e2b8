"""Errors as `application/problem+json` (RFC 9457), each with a stable code: the one map from errors to HTTP."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from ragstone.errors import (
    CantResume,
    InvalidQuery,
    NotAllowed,
    ObjectGone,
    OverBudget,
    PermanentError,
    RagstoneError,
    Rejected,
    SettingsError,
    SourceTaken,
    TransientError,
    UnknownAnswer,
    UnknownConversation,
    UnknownDocument,
)
from ragstone.observability import logger

STATUS: Mapping[type[RagstoneError], int] = {
    InvalidQuery: 422,
    Rejected: 422,
    NotAllowed: 403,
    UnknownDocument: 404,
    UnknownConversation: 404,
    UnknownAnswer: 404,
    ObjectGone: 409,
    SourceTaken: 409,
    CantResume: 409,
    OverBudget: 429,
    TransientError: 503,
    PermanentError: 502,
    SettingsError: 500,
}
OPENAI_ROUTES = "/v1/chat/"
RETRY_AFTER_SECONDS = "5"
DESCRIPTIONS = {
    400: "The request can't be understood",
    403: "The caller may not do this",
    404: "There is no such thing, or none that the caller may know of",
    409: "It can't be done as things are",
    413: "The body is too large",
    415: "The body is not JSON",
    422: "The request has to be changed; `detail` says how",
    429: "The caller's budget is spent until `Retry-After`",
    500: "Something went wrong on our side",
    502: "A service behind this one refuses",
    503: "A service behind this one is not there for now; see `Retry-After`",
}
_PROBLEM = {
    "type": "object",
    "properties": {
        "type": {"type": "string"},
        "status": {"type": "integer"},
        "code": {"type": "string", "description": "Stable; programs can rely on it."},
        "detail": {"type": "string", "description": "For people."},
    },
    "required": ["type", "status", "code", "detail"],
}
RESPONSES: dict[int | str, dict[str, Any]] = {
    status: {"description": text, "content": {"application/problem+json": {"schema": _PROBLEM}}}
    for status, text in DESCRIPTIONS.items()
}
"""What every route may answer instead, for the OpenAPI document."""


def answers(description: str, *media_types: str) -> dict[int | str, dict[str, Any]]:
    """What a route that chooses between media types answers, for the OpenAPI document."""
    return {200: {"description": description, "content": {media_type: {} for media_type in media_types}}}


HTTP_CODES = {
    400: "bad_request",
    404: "not_found",
    405: "method_not_allowed",
    415: "unsupported_media_type",
}


def install(app: FastAPI) -> None:
    app.exception_handler(RagstoneError)(_ragstone_error)
    app.exception_handler(RequestValidationError)(_invalid_request)
    app.exception_handler(HTTPException)(_http_error)
    app.exception_handler(Exception)(_unexpected)


def problem(status: int, code: str, detail: str, headers: Mapping[str, str] | None = None) -> JSONResponse:
    body = {"type": "about:blank", "status": status, "code": code, "detail": detail}
    return JSONResponse(body, status, headers, media_type="application/problem+json")


def error_body(error: Exception) -> dict[str, str]:
    """What a client may know of an error: our own messages, and of others only that they happened."""
    if isinstance(error, RagstoneError):
        return {"code": error.code, "message": str(error)}
    return {"code": "internal", "message": "Something went wrong on our side; try again, and report the trace id."}


def _answer(
    request: Request, status: int, code: str, detail: str, headers: Mapping[str, str] | None = None
) -> JSONResponse:
    """A problem, or the shape that OpenAI's clients read errors from where they ask."""
    if not request.url.path.startswith(OPENAI_ROUTES):
        return problem(status, code, detail, headers)
    kind = "server_error" if status >= HTTPStatus.INTERNAL_SERVER_ERROR else "invalid_request_error"
    return JSONResponse({"error": {"message": detail, "type": kind, "param": None, "code": code}}, status, headers)


def _ragstone_error(request: Request, error: RagstoneError) -> JSONResponse:
    status = next((status for kind, status in STATUS.items() if isinstance(error, kind)), 500)
    body = error_body(error)
    return _answer(request, status, body["code"], body["message"], _retry_after(error, status))


def _retry_after(error: RagstoneError, status: int) -> Mapping[str, str] | None:
    if isinstance(error, OverBudget):
        return {"Retry-After": str(error.retry_after_seconds)}
    return {"Retry-After": RETRY_AFTER_SECONDS} if status == 503 else None


def _invalid_request(request: Request, error: RequestValidationError) -> JSONResponse:
    return _answer(request, 422, "invalid_request", "; ".join(map(_sentence, error.errors())))


def _sentence(found: Mapping[str, Any]) -> str:
    location: Sequence[str | int] = found["loc"][1:]
    if found["type"] == "json_invalid":
        return f"the body is not JSON: {found['ctx']['error']} at character {location[0]}"
    return f"{'.'.join(map(str, location)) or 'body'}: {found['msg']}"


def _http_error(request: Request, error: HTTPException) -> JSONResponse:
    return _answer(request, error.status_code, HTTP_CODES.get(error.status_code, "http_error"), str(error.detail))


def _unexpected(request: Request, error: Exception) -> JSONResponse:
    logger.exception("request failed", path=request.url.path)
    body = error_body(error)
    return _answer(request, 500, body["code"], body["message"])
