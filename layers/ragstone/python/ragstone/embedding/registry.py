"""The table of embedding providers."""

from __future__ import annotations

from collections.abc import Callable

from ragstone.ports import Embedder
from ragstone.registry import Registry
from ragstone.specs import Spec

embedders: Registry[Callable[[str], Embedder]] = Registry("embedder")
"""Providers by name; each entry takes the model's name and raises SettingsError if it can't be used."""


def build_embedder(spec: str) -> Embedder:
    """The embedder that a spec names; imports the SDK of its provider and of no other."""
    provider, model = Spec.parse(spec)
    return embedders[provider](model)
