"""Bulk writes that retry exactly the items that a busy node turned away."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ragstone.errors import TransientError
from ragstone.index.failures import RETRYABLE, failure, translated

MAX_BYTES = 5_000_000
MAX_ACTIONS = 500


@dataclass(frozen=True, slots=True)
class Action:
    """One item of a bulk request: a chunk's id and its lines, each ended by a newline."""

    chunk_id: str
    lines: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Patience:
    """How often something is tried, with jittered pauses that double from `first_s` to `longest_s`."""

    attempts: int
    first_s: float
    longest_s: float
    sleep: Callable[[float], None]

    def pause(self, attempt: int) -> None:
        self.sleep(min(self.longest_s, self.first_s * 2**attempt) * random.uniform(0.5, 1.0))  # noqa: S311


def put(chunk_id: str, document: Mapping[str, Any]) -> Action:
    lines = ({"index": {"_id": chunk_id}}, document)
    return Action(chunk_id, "".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines).encode())


def delete(chunk_id: str) -> Action:
    return Action(chunk_id, (json.dumps({"delete": {"_id": chunk_id}}) + "\n").encode())


def write(client: Any, name: str, actions: Iterable[Action], *, refresh: str, patience: Patience) -> None:
    """Send all actions; raises TransientError when some are still turned away, PermanentError naming a refused chunk.

    `refresh` goes with the last request only: on one shard it covers the earlier ones.
    """
    parts = list(batches(actions))
    for number, part in enumerate(parts, start=1):
        _write_part(client, name, part, refresh=refresh if number == len(parts) else "false", patience=patience)


def batches(actions: Iterable[Action]) -> Iterator[list[Action]]:
    """Runs of at most MAX_ACTIONS and MAX_BYTES; a longer action goes alone."""
    part: list[Action] = []
    size = 0
    for action in actions:
        if part and (len(part) == MAX_ACTIONS or size + len(action.lines) > MAX_BYTES):
            yield part
            part, size = [], 0
        part.append(action)
        size += len(action.lines)
    if part:
        yield part


def _write_part(client: Any, name: str, part: Sequence[Action], *, refresh: str, patience: Patience) -> None:
    left = part
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
