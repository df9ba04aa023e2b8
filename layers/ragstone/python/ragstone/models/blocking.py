"""Blocking generators, such as boto3's event streams, for an event loop."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Generator
from concurrent.futures import Executor, Future
from typing import Final, TypeVar

T = TypeVar("T")
END: Final = object()


async def pulled(items: Generator[T], executor: Executor) -> AsyncGenerator[T]:
    """The items, each taken in a thread when it is asked for.

    Leaving early closes the generator; if it is just waiting for an item, then as soon as that one has come.
    """
    step: Future[T | object] = executor.submit(next, items, END)
    try:
        while (item := await asyncio.wrap_future(step)) is not END:
            yield item  # pyright: ignore[reportReturnType] - what is not END is a T
            step = executor.submit(next, items, END)
    finally:
        step.add_done_callback(lambda _: items.close())
