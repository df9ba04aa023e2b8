"""Bulk writes that retry exactly the items that a busy node turned away."""

from __future__ import annotations

import json
import random
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from itertools import chain
from typing import Any

from ragstone.errors import TransientError
from ragstone.index.failures import RETRYABLE, failure, translated
from ragstone.types import Vector

MAX_BYTES = 5_000_000
MAX_ACTIONS = 500
WRITERS = 2
"""Requests at once: two keep a node busy while the client waits for neither."""

_encode = json.JSONEncoder(separators=(",", ":")).encode


@dataclass(frozen=True, slots=True)
class Action:
    """One item of a bulk request: a chunk's id and its lines, each ended by a newline."""

    chunk_id: str
    lines: bytes


Part = dict[str, Action]
"""What goes in one request, by chunk id."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Patience:
    """How often something is tried, with jittered pauses that double from `first_s` to `longest_s`."""

    attempts: int
    first_s: float
    longest_s: float
    sleep: Callable[[float], None]

    def pause(self, attempt: int) -> None:
        self.sleep(min(self.longest_s, self.first_s * 2**attempt) * random.uniform(0.5, 1.0))  # noqa: S311


def put(chunk_id: str, document: Mapping[str, Any], vector: Vector) -> Action:
    """Writes a document, which has at least one field, with its vector."""
    head, rest = _encode({"index": {"_id": chunk_id}}), _encode(document)
    # Seven digits are more than the index keeps; one format takes a fifth of the JSON encoder's time.
    numbers = ("%.7f," * len(vector))[:-1] % tuple(vector)
    return Action(chunk_id, f'{head}\n{rest[:-1]},"vector":[{numbers}]}}\n'.encode())


def delete(chunk_id: str) -> Action:
    return Action(chunk_id, (_encode({"delete": {"_id": chunk_id}}) + "\n").encode())


def write(client: Any, name: str, actions: Iterable[Action], *, refresh: str, patience: Patience) -> int:
    """Send all actions as they come; how many chunks they were for, of equal ids the last holds.

    Where one request does, `refresh` goes with it; longer writes go as WRITERS requests at a time, and one refresh at
    the end makes all of them visible. Raises TransientError when some are still turned away, PermanentError naming a
    refused chunk.
    """
    parts = batches(actions)
    first, second = next(parts, None), next(parts, None)
    if first is None:
        return 0
    if second is None:
        _write_part(client, name, first, refresh=refresh, patience=patience)
        return len(first)
    send = partial(_write_part, client, name, refresh="false", patience=patience)
    written = _write_parts(send, chain((first, second), parts))
    if refresh != "false":
        with translated(f"refresh index {name!r}"):
            client.indices.refresh(index=name)
    return written


def batches(actions: Iterable[Action]) -> Iterator[Part]:
    """Runs of at most MAX_ACTIONS and MAX_BYTES by id; a longer action goes alone."""
    part: Part = {}
    size = 0
    for action in actions:
        if part and (len(part) == MAX_ACTIONS or size + len(action.lines) > MAX_BYTES):
            yield part
            part, size = {}, 0
        part[action.chunk_id] = action
        size += len(action.lines)
    if part:
        yield part


def _write_parts(send: Callable[[Part], None], parts: Iterable[Part]) -> int:
    seen: set[str] = set()
    running: deque[Future[None]] = deque()
    with ThreadPoolExecutor(WRITERS) as pool:
        for part in parts:
            repeats = not seen.isdisjoint(part)  # must not overtake what it overwrites
            while running and (repeats or len(running) == WRITERS):
                running.popleft().result()
            running.append(pool.submit(send, part))
            seen.update(part)
        while running:
            running.popleft().result()
    return len(seen)


def _write_part(client: Any, name: str, part: Part, *, refresh: str, patience: Patience) -> None:
    left = list(part.values())
    for attempt in range(patience.attempts):
        if attempt:
            patience.pause(attempt - 1)
        try:
            left = _send(client, name, left, refresh=refresh)
        except TransientError:
            if attempt + 1 == patience.attempts:
                raise
        if not left:
            return
    raise TransientError(f"index {name!r} is too busy: {len(left)} chunks not written, first {left[0].chunk_id}")


def _send(client: Any, name: str, part: Sequence[Action], *, refresh: str) -> list[Action]:
    """One request; what a busy node turned away, in order."""
    with translated(f"write to index {name!r}"):
        body = b"".join(action.lines for action in part)
        answer = client.bulk(body=body, index=name, refresh=refresh, request_timeout=60)
    left: list[Action] = []
    for action, item in zip(part, answer["items"], strict=True):
        (result,) = item.values()
        if result["status"] in RETRYABLE:
            left.append(action)
        elif "error" in result:
            raise failure(f"write chunk {action.chunk_id}", result["status"], result["error"])
    return left
