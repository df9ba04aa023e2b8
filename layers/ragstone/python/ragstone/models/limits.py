"""The limits that every chat model is called with."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from ragstone.settings import Settings

CONNECT_SECONDS = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """How long a reply may take to begin, retries included, and to go on after each of its tokens, in seconds."""

    first_token_seconds: float = 60
    between_tokens_seconds: float = 30
    attempts: int = 3
    longest_backoff_seconds: float = 8

    @classmethod
    def from_settings(cls, settings: Settings) -> Self:
        return cls(
            first_token_seconds=settings.first_token_seconds, between_tokens_seconds=settings.between_tokens_seconds
        )

    @property
    def read_seconds(self) -> float:
        """The longest silence of a connection for clients that can't be interrupted: the limits speak before them."""
        return max(self.first_token_seconds, self.between_tokens_seconds) + 1

    def backoff(self, attempt: int) -> float:
        """Seconds to wait after a failed attempt, from 1, if the server wishes nothing else."""
        return min(0.5 * 2 ** (attempt - 1), self.longest_backoff_seconds)
