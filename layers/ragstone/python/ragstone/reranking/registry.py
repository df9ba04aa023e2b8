"""The table of reranker providers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from ragstone.models import build_chat_model
from ragstone.ports import ChatModel, Reranker
from ragstone.registry import Registry
from ragstone.specs import Spec

BuildChatModel = Callable[[str], ChatModel]
"""From a chat model's spec."""


class BuildReranker(Protocol):
    """Takes the model's name, how long a call may take, and what builds the chat model of one that asks a chat model.

    Raises SettingsError if the model can't be used.
    """

    def __call__(self, model: str, *, seconds: float, chat_model: BuildChatModel) -> Reranker: ...


rerankers: Registry[BuildReranker] = Registry("reranker")


def build_reranker(spec: str, *, seconds: float, chat_model: BuildChatModel = build_chat_model) -> Reranker:
    """The reranker that a spec names; imports the SDK of its provider and of no other."""
    provider, model = Spec.parse(spec)
    return rerankers[provider](model, seconds=seconds, chat_model=chat_model)
