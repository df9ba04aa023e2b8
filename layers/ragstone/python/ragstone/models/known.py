"""The models that a request may choose among."""

from __future__ import annotations

from ragstone.errors import InvalidQuery, SettingsError
from ragstone.settings import Settings
from ragstone.specs import Spec


def known_models(settings: Settings) -> tuple[str, ...]:
    """Their specs with the provider written out, the environment's own model first, then what it allows besides."""
    specs = (settings.chat_model, *settings.models_allowed)
    return tuple(dict.fromkeys(str(Spec.parse(spec)) for spec in specs))


def chosen_model(settings: Settings, asked: str | None) -> str:
    """The spec of the model to ask, the environment's own for None; raises InvalidQuery for one that it has not."""
    known = known_models(settings)
    if not asked:
        return known[0]
    try:
        spec = str(Spec.parse(asked))
    except SettingsError as error:
        raise InvalidQuery("unknown_model", str(error)) from error
    if spec not in known:
        raise InvalidQuery("unknown_model", f"model {asked!r} can't be chosen here; known are {', '.join(known)}")
    return spec
