"""Reading JSONL that people write: every bad line is named, with what is wrong about it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Protocol, TypeVar

from pydantic import TypeAdapter, ValidationError

from ragstone.evaluation.errors import InvalidEvaluation
from ragstone.evaluation.problems import sentences

SHOWN_PROBLEMS = 5


class Identified(Protocol):
    @property
    def id(self) -> str: ...


T = TypeVar("T", bound=Identified)


def read_lines(content: bytes, name: str, item: TypeAdapter[T], *, known: Sequence[str], what: str) -> tuple[T, ...]:
    """The items of a JSONL file, an id each; raises InvalidEvaluation that names the first bad lines of `name`.

    `known` are the keys that an unknown one could be meant for, `what` names one item.
    """
    problems: list[str] = []
    items: list[T] = []
    for number, line in enumerate(content.removeprefix(b"\xef\xbb\xbf").splitlines(), start=1):
        if line.strip():
            try:
                items.append(item.validate_json(line))
            except ValidationError as error:
                problems += [f"line {number}: {problem}" for problem in sentences(error, known=known)]
    problems += _repeated(items, what)
    if problems:
        more = f"; and {len(problems) - SHOWN_PROBLEMS} more" if len(problems) > SHOWN_PROBLEMS else ""
        raise InvalidEvaluation(f"{name}: {'; '.join(problems[:SHOWN_PROBLEMS])}{more}")
    return tuple(items)


def _repeated(items: Iterable[Identified], what: str) -> Iterator[str]:
    for item_id, count in Counter(item.id for item in items).items():
        if count > 1:
            yield f"{count} lines have the id {item_id!r}; an id names one {what}"
