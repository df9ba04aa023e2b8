"""Errors as `application/problem+json` (RFC 9457), each with a stable code: the one map from errors to HTTP."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from ragstone.errors import (
    InvalidQuery,
    ObjectGone,
    PermanentError,
    RagstoneError,
    Rejected,
    SettingsError,
    SourceTaken,
    TransientError,
    UnknownDocument,
)
from ragstone.observability import logger

STATUS: Mapping[type[RagstoneError], int] = {
    InvalidQuery: 422,
    Rejected: 422,
    UnknownDocument: 404,
    ObjectGone: 409,
    SourceTaken: 409,
    TransientError: 503,
    PermanentError: 502,
    SettingsError: 500,
}
RETRY_AFTER_SECONDS = "5"
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


def problem(status: int, code: str, detail: str) -> JSONResponse:
    headers = {"Retry-After": RETRY_AFTER_SECONDS} if status == 503 else None
    body = {"type": "about:blank", "status": status, "code": code, "detail": detail}
    return JSONResponse(body, status, headers, media_type="application/problem+json")


def error_body(error: Exception) -> dict[str, str]:
    """What a client may know of an error: our own messages, and of others only that they happened."""
    if isinstance(error, RagstoneError):
        return {"code": error.code, "message": str(error)}
    return {"code": "internal", "message": "Something went wrong on our side; try again, and report the trace id."}


def _ragstone_error(request: Request, error: RagstoneError) -> JSONResponse:
    status = next((status for kind, status in STATUS.items() if isinstance(error, kind)), 500)
    body = error_body(error)
    return problem(status, body["code"], body["message"])


def _invalid_request(request: Request, error: RequestValidationError) -> JSONResponse:
    return problem(422, "invalid_request", "; ".join(map(_sentence, error.errors())))


def _sentence(found: Mapping[str, Any]) -> str:
    location: Sequence[str | int] = found["loc"][1:]
    if found["type"] == "json_invalid":
        return f"the body is not JSON: {found['ctx']['error']} at character {location[0]}"
    return f"{'.'.join(map(str, location)) or 'body'}: {found['msg']}"


def _http_error(request: Request, error: HTTPException) -> JSONResponse:
    return problem(error.status_code, HTTP_CODES.get(error.status_code, "http_error"), str(error.detail))


def _unexpected(request: Request, error: Exception) -> JSONResponse:
    logger.exception("request failed", path=request.url.path)
    body = error_body(error)
    return problem(500, body["code"], body["message"])
