"""Refuses bodies that are larger than anything the API takes, before they are read."""

from __future__ import annotations

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ragstone.api.problems import problem

MOST_BYTES = 10_000_000
"""API Gateway's own limit."""


class BodyLimit:
    """ASGI middleware; a body of unknown length is cut off where it becomes too long."""

    def __init__(self, app: ASGIApp, most_bytes: int = MOST_BYTES) -> None:
        self._app, self._most_bytes = app, most_bytes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        told = Headers(scope=scope).get("content-length", "")
        if told.isdecimal() and int(told) > self._most_bytes:
            await self._refusal()(scope, receive, send)
            return
        read = 0

        async def counted() -> Message:
            nonlocal read
            message = await receive()
            read += len(message.get("body", b""))
            if read > self._most_bytes:
                raise _TooLarge
            return message

        try:
            await self._app(scope, counted, send)
        except _TooLarge:
            await self._refusal()(scope, receive, send)

    def _refusal(self) -> ASGIApp:
        megabytes = self._most_bytes // 1_000_000
        return problem(413, "too_large", f"The body has over {megabytes} MB. Upload files with POST /v1/documents.")


class _TooLarge(Exception):
    """Nothing has been answered yet: the app reads a body whole before it begins."""
