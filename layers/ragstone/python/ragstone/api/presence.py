"""Stops work for a client that has left."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

from fastapi import Request
from starlette.requests import ClientDisconnect

Result = TypeVar("Result")


async def unless_left(request: Request, work: Coroutine[Any, Any, Result]) -> Result:
    """The work's result; cancels it and raises ClientDisconnect if the client leaves before."""
    working, leaving = asyncio.ensure_future(work), asyncio.ensure_future(_left(request))
    try:
        await asyncio.wait({working, leaving}, return_when=asyncio.FIRST_COMPLETED)
        if not working.done():
            raise ClientDisconnect
        return working.result()
    finally:
        working.cancel()
        leaving.cancel()
        await asyncio.gather(working, leaving, return_exceptions=True)


async def _left(request: Request) -> None:
    """Returns when the client is gone; its body has been read by now."""
    while (await request.receive())["type"] != "http.disconnect":
        pass
