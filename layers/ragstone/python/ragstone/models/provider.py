"""What an adapter of a provider's API has to do; all else is the same for all of them, in `RemoteChatModel`."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from enum import Enum, auto
from typing import Protocol

from ragstone.types import Prompt, TextDelta, TokenUsage


class Sign(Enum):
    """What a stream says besides text: that the model thinks, or that the reply is whole."""

    THOUGHT = auto()
    END = auto()


Event = TextDelta | TokenUsage | Sign


class Provider(Protocol):
    """One model behind one provider's API: asks once, with no retries.

    `events` yields text as it comes, a THOUGHT for each piece of thinking, one END once the provider says that the
    reply is whole, and the usage if it is reported. Raises TransientError, PermanentError or ModelRefused.
    """

    @property
    def spec(self) -> str: ...
    def events(self, prompt: Prompt) -> AsyncGenerator[Event]: ...
