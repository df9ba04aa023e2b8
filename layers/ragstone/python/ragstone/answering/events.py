"""What a streaming answer consists of, in the order in which it is sent."""

from __future__ import annotations

from dataclasses import dataclass

from ragstone.types import Answer, Passage, Refusal, Sentence


@dataclass(frozen=True, slots=True)
class Started:
    """The question was taken, by this answerer; always the first event."""

    answerer: str


@dataclass(frozen=True, slots=True)
class Status:
    """What takes its time: `warming` (an index that wakes), `reading` (a model that reads the passages)."""

    name: str


@dataclass(frozen=True, slots=True)
class Found:
    """Retrieval is over: what the answer will be drawn from."""

    passages: tuple[Passage, ...]


@dataclass(frozen=True, slots=True)
class Reasoning:
    """A piece of what a model thinks of the passages: nothing of it was verified, and none of it is answer."""

    text: str


@dataclass(frozen=True, slots=True)
class Released:
    """A sentence that passed verification."""

    sentence: Sentence


@dataclass(frozen=True, slots=True)
class AskedBack:
    """The question refers to something that can't be told; there will be no answer."""

    question: str


@dataclass(frozen=True, slots=True)
class Refused:
    """There will be no answer; sentences released before it are withdrawn."""

    refusal: Refusal


@dataclass(frozen=True, slots=True)
class Finished:
    """The whole result; always the last event."""

    answer: Answer


Event = Started | Status | Found | Reasoning | Released | AskedBack | Refused | Finished
