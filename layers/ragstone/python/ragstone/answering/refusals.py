"""Refusals: why there is no answer, in the asker's language, and the nearest documents' names, never their text."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from importlib.resources import files

from ragstone.language import ENGLISH
from ragstone.types import Evidence, Refusal, RefusalReason, RefusalStage

NEAREST = 3
NOTHING_FOUND = Evidence(())


def refuse(stage: RefusalStage, reason: RefusalReason, evidence: Evidence = NOTHING_FOUND) -> Refusal:
    """A refusal in English; `Wording` says it in the asker's language."""
    nearest = dict.fromkeys(passage.chunk.source for passage in evidence.passages)
    return Refusal(stage, reason, _messages()[ENGLISH][reason], tuple(nearest)[:NEAREST])


@dataclass(frozen=True, slots=True)
class Wording:
    """Says refusals in a language; `own` replaces messages, by "reason" for all languages or "reason.language"."""

    own: Mapping[str, str] = field(default_factory=dict[str, str])

    def localised(self, refusal: Refusal, language: str) -> Refusal:
        return replace(refusal, message=self._text(refusal.reason, language))

    def unclear(self, language: str) -> str:
        """The question back to somebody who refers to nothing that was said."""
        return self._text("unclear", language)

    def _text(self, name: str, language: str) -> str:
        """English where a language has no messages."""
        table = _messages().get(language, _messages()[ENGLISH])
        return self.own.get(f"{name}.{language}") or self.own.get(name) or table[name]


@cache
def _messages() -> Mapping[str, Mapping[str, str]]:
    return tomllib.loads(files("ragstone.answering").joinpath("refusals.toml").read_text(encoding="utf-8"))
