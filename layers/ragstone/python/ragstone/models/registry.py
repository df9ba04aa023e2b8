"""The table of chat model providers."""

from __future__ import annotations

from collections.abc import Callable

from ragstone.errors import SettingsError
from ragstone.models.limits import Limits
from ragstone.models.provider import Provider
from ragstone.models.remote import RemoteChatModel
from ragstone.ports import ChatModel
from ragstone.registry import Registry
from ragstone.specs import Spec

chat_models: Registry[Callable[[str, Limits], Provider]] = Registry("chat model")
"""Providers by name; each entry takes the model's name and raises SettingsError if it can't be used."""


def build_chat_model(spec: str, limits: Limits | None = None) -> ChatModel:
    """The chat model that a spec names; imports the SDK of its provider and of no other."""
    provider, model = Spec.parse(spec)
    build = chat_models[provider]
    if not model:
        raise SettingsError(f"chat model {spec!r} names no model; write {provider}:model")
    limits = limits or Limits()
    return RemoteChatModel(build(model, limits), limits=limits)
