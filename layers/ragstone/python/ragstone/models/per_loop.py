"""Async clients for programs that run more than one event loop."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import AbstractAsyncContextManager
from typing import Any, Generic, TypeVar

C = TypeVar("C", bound=AbstractAsyncContextManager[Any])


class PerLoop(Generic[C]):
    """One client for each running event loop, since its connections belong to the loop that opened them.

    A client is closed when `asyncio.run` (or uvicorn) ends its loop, or when this object goes. The first is made at
    once, so that what `make` refuses shows at the start.
    """

    def __init__(self, make: Callable[[], C]) -> None:
        self._make = make
        self._first: C | None = make()
        self._clients: dict[asyncio.AbstractEventLoop, tuple[C, AsyncGenerator[None]]] = {}

    async def get(self) -> C:
        loop = asyncio.get_running_loop()
        if loop not in self._clients:
            self._forget_ended_loops()
            client, self._first = self._first or self._make(), None
            life = _life(client)
            self._clients[loop] = client, life
            await anext(life)
        return self._clients[loop][0]

    def _forget_ended_loops(self) -> None:
        for loop in list(self._clients):
            if loop.is_closed():
                self._clients.pop(loop, None)


async def _life(client: AbstractAsyncContextManager[Any]) -> AsyncGenerator[None]:
    """Waits at the yield until it is dropped or its loop shuts down: asyncio then closes it, and it the client."""
    async with client:
        yield
