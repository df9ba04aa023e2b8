"""What a streaming answer consists of, in the order in which it is sent."""

from __future__ import annotations

from dataclasses import dataclass

from ragstone.types import Answer, Passage, Refusal, Sentence


@dataclass(frozen=True, slots=True)
class Started:
    """Retrieval is over: what the answer will be drawn from, by which answerer."""

    answerer: str
    passages: tuple[Passage, ...]


@dataclass(frozen=True, slots=True)
class Released:
    """A sentence that passed verification."""

    sentence: Sentence


@dataclass(frozen=True, slots=True)
class Refused:
    """There will be no answer."""

    refusal: Refusal


@dataclass(frozen=True, slots=True)
class Finished:
    """The whole result; always the last event."""

    answer: Answer


Event = Started | Released | Refused | Finished
