import asyncio
import gc
import weakref
from types import TracebackType
from typing import Self

import pytest

from ragstone.errors import SettingsError
from ragstone.models.per_loop import PerLoop


class Client:
    """Knows the loop in which it was closed."""

    def __init__(self) -> None:
        self.closed_in: asyncio.AbstractEventLoop | None = None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.closed_in = asyncio.get_running_loop()


async def test_one_loop_has_one_client() -> None:
    clients = PerLoop(Client)
    first, *others = await asyncio.gather(*[clients.get() for _ in range(5)])
    assert all(other is first for other in others)


def test_each_loop_closes_its_own_client_when_it_ends() -> None:
    clients = PerLoop(Client)

    async def use() -> tuple[Client, asyncio.AbstractEventLoop]:
        client = await clients.get()
        assert client.closed_in is None
        return client, asyncio.get_running_loop()

    (one, one_loop), (other, other_loop) = asyncio.run(use()), asyncio.run(use())
    assert one is not other
    assert (one.closed_in, other.closed_in) == (one_loop, other_loop)


async def test_a_client_is_closed_when_nobody_holds_it_any_more() -> None:
    client = await PerLoop(Client).get()
    await asyncio.sleep(0.01)
    assert client.closed_in is asyncio.get_running_loop()


def test_ended_loops_are_forgotten() -> None:
    clients = PerLoop(Client)
    ended = [weakref.ref(asyncio.run(_loop_that_used(clients))) for _ in range(3)]
    gc.collect()
    assert [loop() for loop in ended[:2]] == [None, None]


async def _loop_that_used(clients: PerLoop[Client]) -> asyncio.AbstractEventLoop:
    await clients.get()
    return asyncio.get_running_loop()


def test_what_can_t_be_made_shows_at_once() -> None:
    def refuse() -> Client:
        raise SettingsError("no key")

    with pytest.raises(SettingsError):
        PerLoop(refuse)
