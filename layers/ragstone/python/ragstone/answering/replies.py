"""Reads a model's reply as it streams: one small JSON object a line, however the stream is cut."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Annotated

from pydantic import BaseModel, Field, ValidationError

from ragstone.types import Claim

MAX_LINE = 20_000
"""Characters; what goes on longer without an end is no sentence."""

MAX_LINES = 50
"""Lines of one object."""

NEXT_OBJECT = re.compile(r"(?<=\})\s*,?\s*(?=\{\s*(?:\"(?:sentence|unanswerable)\"|$))")
DECORATION = re.compile(r"^(?:```\w*|[\[\],])+|(?:```|[\[\],])+$")
UNANSWERABLE = "The passages do not contain the answer."


class _Line(BaseModel):
    sentence: str
    passages: Annotated[list[int], Field(max_length=20)]
    quotes: Annotated[list[str], Field(max_length=20)]


class _Unanswerable(BaseModel):
    unanswerable: bool


@dataclass(slots=True)
class ReplyReader:
    """Turns text into claims; an object over several lines is one, and a line of no form cites nothing."""

    _pending: str = ""
    _lines: list[str] = field(default_factory=list[str])

    def feed(self, text: str) -> Iterator[Claim]:
        *lines, self._pending = (self._pending + text).split("\n")
        for line in lines:
            for piece in NEXT_OBJECT.split(line):
                yield from self._read(piece)
        if len(self._pending) > MAX_LINE:
            yield from self.end()

    def end(self) -> Iterator[Claim]:
        """What is left when the stream ends, whole or cut."""
        pending, self._pending = self._pending, ""
        for piece in NEXT_OBJECT.split(pending):
            yield from self._read(piece)
        yield from self._given_up()

    def _read(self, line: str) -> Iterator[Claim]:
        plain = DECORATION.sub("", line.strip()).strip()
        if claim := _claim(plain):
            yield from self._given_up()
            yield claim
        elif self._lines or plain.startswith("{"):
            yield from self._continued(line.strip(), is_last=plain.endswith("}"))
        elif plain:
            yield Claim(plain, (), ())

    def _continued(self, line: str, *, is_last: bool) -> Iterator[Claim]:
        """Another line of an object that began on an earlier one."""
        self._lines.append(line)
        if is_last and (claim := _claim(DECORATION.sub("", " ".join(self._lines)))):
            self._lines.clear()
            yield claim
        elif len(self._lines) > MAX_LINES:
            yield from self._given_up()

    def _given_up(self) -> Iterator[Claim]:
        lines, self._lines = self._lines, []
        if lines:
            yield Claim(" ".join(lines), (), ())


def _claim(text: str) -> Claim | None:
    """A line of the form as a claim; that the passages hold no answer is one without a quotation."""
    try:
        line = _Line.model_validate_json(text)
        return Claim(line.sentence, tuple(line.passages), tuple(line.quotes))
    except ValidationError:
        pass
    try:
        return Claim(UNANSWERABLE, (), ()) if _Unanswerable.model_validate_json(text).unanswerable else None
    except ValidationError:
        return None
