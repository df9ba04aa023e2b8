"""The indexes of a deployment."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum


@dataclass(frozen=True, slots=True)
class Generation:
    """One index of a deployment with the registry namespace of the same name, and what it was built with.

    `settings` are all those that decide on its chunks and vectors, by their fields' names; `dimensions` is its vectors'
    length. `started_at` is a date and time in ISO 8601 with its offset.
    """

    name: str
    settings: Mapping[str, str | int | float | bool | None]
    dimensions: int
    started_at: str


class Role(StrEnum):
    """What a generation that is not live is there for."""

    BUILDING = "building"
    PREVIOUS = "previous"
    DROPPED = "dropped"


@dataclass(frozen=True, slots=True)
class Generations:
    """The generation that answers questions, and the one beside it, if there is one: half built, replaced or dropped.

    `changed_at` is when that last changed; `revision` counts the changes, from 1.
    """

    live: Generation
    other: Generation | None = None
    role: Role | None = None
    changed_at: str = ""
    revision: int = 1

    @property
    def written(self) -> tuple[Generation, ...]:
        """Those that every change goes to, the live one last: what users have seen is in the other one already."""
        return (self.live,) if self.other is None or self.role is Role.DROPPED else (self.other, self.live)
