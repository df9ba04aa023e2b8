"""An app under a real server, as a laptop and the query function run it."""

from __future__ import annotations

import time
from collections.abc import Generator
from contextlib import contextmanager
from threading import Thread

import uvicorn
from starlette.types import ASGIApp


@contextmanager
def served(app: ASGIApp) -> Generator[str]:
    """The URL of the app under uvicorn on a free port, for as long as the context lasts."""
    config = uvicorn.Config(app, host="127.0.0.1", port=0, log_level="error", timeout_graceful_shutdown=2)
    server = uvicorn.Server(config)
    thread = Thread(target=server.run)
    thread.start()
    try:
        yield f"http://127.0.0.1:{_port(server)}"
    finally:
        server.should_exit = True
        thread.join()


def _port(server: uvicorn.Server) -> int:
    while not server.started:
        time.sleep(0.01)
    return server.servers[0].sockets[0].getsockname()[1]
