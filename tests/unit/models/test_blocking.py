import asyncio
import threading
from collections.abc import Generator, Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from ragstone.models.blocking import pulled


@pytest.fixture
def threads() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(2) as threads:
        yield threads


class Source:
    """Counts to `length`, waiting for `go` before each number; `closed` is set once nobody reads it any more."""

    def __init__(self, length: int) -> None:
        self.length = length
        self.go = threading.Semaphore(0)
        self.closed = threading.Event()
        self.taken = 0

    def __iter__(self) -> Generator[int]:
        try:
            for number in range(self.length):
                assert self.go.acquire(timeout=5)
                self.taken += 1
                yield number
        finally:
            self.closed.set()


async def test_items_come_in_order_to_the_end(threads: ThreadPoolExecutor) -> None:
    source = Source(3)
    source.go.release(3)
    assert [item async for item in pulled(iter(source), threads)] == [0, 1, 2]
    assert source.closed.is_set()


async def test_the_loop_is_free_while_an_item_is_waited_for(threads: ThreadPoolExecutor) -> None:
    source = Source(1)
    waiting = asyncio.ensure_future(anext(pulled(iter(source), threads)))
    await asyncio.sleep(0.05)
    assert not waiting.done()
    source.go.release()
    assert await waiting == 0


async def test_an_item_is_taken_only_when_it_is_asked_for(threads: ThreadPoolExecutor) -> None:
    source = Source(3)
    source.go.release(3)
    items = pulled(iter(source), threads)
    await anext(items)
    await asyncio.sleep(0.05)
    assert source.taken == 1
    await items.aclose()


async def test_leaving_early_closes_the_source(threads: ThreadPoolExecutor) -> None:
    source = Source(3)
    source.go.release(3)
    generator = iter(source)
    items = pulled(generator, threads)
    await anext(items)
    await items.aclose()
    assert source.closed.is_set()


async def test_leaving_while_waiting_closes_the_source_after_the_next_item(threads: ThreadPoolExecutor) -> None:
    source = Source(3)
    generator = iter(source)
    waiting = asyncio.ensure_future(anext(pulled(generator, threads)))
    await asyncio.sleep(0.05)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    source.go.release()
    assert await asyncio.to_thread(source.closed.wait, 2)
    assert source.taken == 1


async def test_an_error_of_the_source_reaches_the_reader(threads: ThreadPoolExecutor) -> None:
    def failing() -> Generator[int]:
        yield 1
        raise OSError("broken")

    items = pulled(failing(), threads)
    assert await anext(items) == 1
    with pytest.raises(OSError, match="broken"):
        await anext(items)
