"""Gold questions: what the lines of a dataset hold and how they are read."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from hashlib import sha256
from typing import Annotated, TypeVar

from pydantic import ConfigDict, Field, StringConstraints, TypeAdapter, with_config

from ragstone.evaluation.errors import InvalidEvaluation
from ragstone.evaluation.lines import Identified, read_lines

T = TypeVar("T", bound=Identified)
Filled = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]


@with_config(ConfigDict(extra="forbid"))
@dataclass(frozen=True, slots=True)
class GoldEntry:
    """Where the answer can be read: words of a document (which survive re-chunking), a page of it, or all of it."""

    document: Filled
    page: Annotated[int, Field(ge=1)] | None = None
    quote: Filled | None = None
    section: Filled | None = None


@with_config(ConfigDict(extra="forbid"))
@dataclass(frozen=True, slots=True)
class GoldItem:
    """One question with what is known of its answer; it is asked on behalf of `groups`."""

    id: Filled
    question: Filled
    reference: Filled | None = None
    answerable: bool = True
    gold: tuple[GoldEntry, ...] = ()
    tags: tuple[Filled, ...] = ()
    groups: tuple[Filled, ...] = ()


_ITEM = TypeAdapter(GoldItem)
_KNOWN_KEYS = [field.name for field in (*fields(GoldItem), *fields(GoldEntry))]


def read_gold(content: bytes, name: str) -> tuple[GoldItem, ...]:
    """The items of a JSONL dataset; raises InvalidEvaluation that names the first bad lines of `name`."""
    items = read_lines(content, name, _ITEM, known=_KNOWN_KEYS, what="question")
    if not items:
        raise InvalidEvaluation(f'{name} holds no questions; write one a line: {{"id": "…", "question": "…"}}')
    return items


def write_gold(items: Iterable[GoldItem]) -> bytes:
    """The items as JSONL, which `read_gold` reads back."""
    return b"".join(_ITEM.dump_json(item) + b"\n" for item in items)


def sample(items: Sequence[T], *, limit: int | None, seed: int) -> tuple[T, ...]:
    """At most `limit` items in their order, drawn by a hash of seed and id.

    An item is drawn or not whatever order the dataset is in, so that a dataset which grows keeps most of its sample.
    """
    drawn = {item.id for item in sorted(items, key=lambda item: _draw(seed, item.id))[:limit]}
    return tuple(item for item in items if item.id in drawn)


def _draw(seed: int, item_id: str) -> str:
    return sha256(f"{seed}:{item_id}".encode()).hexdigest()
