"""The table of reranker providers."""

from __future__ import annotations

from typing import Protocol

from ragstone.ports import Reranker
from ragstone.registry import Registry
from ragstone.specs import Spec


class BuildReranker(Protocol):
    """Takes the model's name and how long a call may take; raises SettingsError if the model can't be used."""

    def __call__(self, model: str, *, seconds: float) -> Reranker: ...


rerankers: Registry[BuildReranker] = Registry("reranker")


def build_reranker(spec: str, *, seconds: float) -> Reranker:
    """The reranker that a spec names; imports the SDK of its provider and of no other."""
    provider, model = Spec.parse(spec)
    return rerankers[provider](model, seconds=seconds)
