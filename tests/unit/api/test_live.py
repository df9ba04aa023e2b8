from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable

import pytest
from starlette.types import Receive, Scope, Send

from ragstone.api.live import LOOK_AGAIN_SECONDS, LiveApp
from ragstone.types import Generation

OLD, NEW = (Generation(name, {}, 64, "2026-01-01T00:00:00+00:00") for name in ("old", "new"))
App = Callable[[Scope, Receive, Send], Awaitable[None]]


class Service:
    """`live` is what the pointer names, or what reading it raises; `served` are the indexes that requests came to.

    Requests to an index in `held` wait until it is taken out.
    """

    def __init__(self) -> None:
        self.live: Generation | Exception | None = OLD
        self.clock = 0.0
        self.looked = 0
        self.built: list[str | None] = []
        self.served: list[str | None] = []
        self.unusable: set[str] = set()
        self.go_on = asyncio.Event()
        self.may_look = threading.Event()
        self.may_look.set()
        self.app = LiveApp(live=self._live, build=self._build, now=lambda: self.clock)

    def _live(self) -> Generation | None:
        self.looked += 1
        assert self.may_look.wait(10)
        if isinstance(self.live, Exception):
            raise self.live
        return self.live

    def _build(self, generation: Generation | None) -> App:
        name = generation and generation.name
        self.built.append(name)
        if name in self.unusable:
            raise ModuleNotFoundError("openai")

        async def app(scope: Scope, receive: Receive, send: Send) -> None:
            if scope.get("path") == "/slow":
                await self.go_on.wait()
            self.served.append(name)

        return app

    async def request(self, path: str = "/", kind: str = "http") -> None:
        async def receive() -> dict[str, str]:
            return {}

        async def send(message: object) -> None:
            pass

        await self.app({"type": kind, "path": path}, receive, send)


async def test_the_pointer_is_looked_at_every_few_seconds_and_not_for_each_request() -> None:
    service = Service()
    for second in range(11):
        service.clock = float(second)
        await service.request()
    assert service.looked == 3
    assert service.built == ["old"]


async def test_after_a_swap_requests_go_to_the_new_index() -> None:
    service = Service()
    service.live = NEW
    service.clock = LOOK_AGAIN_SECONDS - 0.1
    await service.request()
    service.clock = LOOK_AGAIN_SECONDS
    await service.request()
    await service.request()
    assert service.served == ["old", "new", "new"]


async def test_a_request_that_began_before_the_swap_ends_on_the_old_index() -> None:
    service = Service()
    slow = asyncio.create_task(service.request("/slow"))
    await asyncio.sleep(0)
    service.live, service.clock = NEW, 10.0
    await service.request()
    service.go_on.set()
    await slow
    assert service.served == ["new", "old"]


async def test_the_first_index_is_found_when_it_is_there() -> None:
    service = Service()
    service.live, service.clock = None, 10.0
    await service.request()
    service.live, service.clock = NEW, 20.0
    await service.request()
    assert service.served == [None, "new"]


async def test_a_pointer_that_can_t_be_read_leaves_the_service_as_it_is() -> None:
    service = Service()
    service.live, service.clock = ConnectionError("no table"), 10.0
    await service.request()
    service.live, service.clock = NEW, 20.0
    await service.request()
    assert service.served == ["old", "new"]


async def test_an_index_that_can_t_be_used_leaves_the_one_before_answering() -> None:
    service = Service()
    service.live, service.clock, service.unusable = NEW, 10.0, {"new"}
    await service.request()
    service.clock, service.unusable = 20.0, set()
    await service.request()
    assert service.built == ["old", "new", "new"]
    assert service.served == ["old", "new"]


async def test_who_comes_while_another_looks_is_not_kept_waiting() -> None:
    service = Service()
    service.live, service.clock = NEW, 10.0
    service.may_look.clear()
    looking = asyncio.create_task(service.request())
    while service.looked < 2:
        await asyncio.sleep(0.001)
    await service.request()
    assert service.served == ["old"]
    service.may_look.set()
    await looking
    assert service.served == ["old", "new"]
    assert service.looked == 2


async def test_the_server_s_own_messages_do_not_look() -> None:
    service = Service()
    service.clock = 10.0
    await service.request(kind="lifespan")
    assert (service.looked, service.served) == (1, ["old"])


async def test_a_service_that_can_t_read_the_pointer_does_not_start() -> None:
    def unreadable() -> Generation:
        raise ConnectionError("no table")

    with pytest.raises(ConnectionError):
        LiveApp(live=unreadable, build=Service().app._build)
