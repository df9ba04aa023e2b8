"""Serves each request whole from the index that is live as it comes, whatever is swapped meanwhile."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

from starlette.types import ASGIApp, Receive, Scope, Send

from ragstone.observability import logger
from ragstone.types import Generation

LOOK_AGAIN_SECONDS = 5.0
"""So long a swap may go unnoticed; the index that was live before is kept in step meanwhile."""


class LiveApp:
    """An ASGI app that hands requests to the app that `build` makes of the generation that `live` names.

    A request that has begun stays where it is. Where the pointer can't be read, or no app can be made of what it names,
    the app before goes on, and the log says why; at the start that is an error.
    """

    def __init__(
        self,
        *,
        live: Callable[[], Generation | None],
        build: Callable[[Generation | None], ASGIApp],
        now: Callable[[], float] = time.time,  # not the monotonic clock: that stands still while Lambda freezes us
    ) -> None:
        self._live, self._build, self._now = live, build, now
        self._lock = asyncio.Lock()
        self._generation = live()
        self._app = build(self._generation)
        self._looked_at = now()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        # Who comes while another request looks does not wait for it.
        if scope["type"] == "http" and self._is_stale() and not self._lock.locked():
            async with self._lock:
                await asyncio.to_thread(self._look)
        await self._app(scope, receive, send)

    def _is_stale(self) -> bool:
        return self._now() - self._looked_at >= LOOK_AGAIN_SECONDS

    def _look(self) -> None:
        try:
            found = self._live()
            if found != self._generation:
                self._app, self._generation = self._build(found), found
                logger.info("another index is live", index=found and found.name)
        except Exception:  # noqa: BLE001 - whatever it is, what has answered until now still can
            logger.exception("the live index could not be looked up; the one before goes on")
        self._looked_at = self._now()
