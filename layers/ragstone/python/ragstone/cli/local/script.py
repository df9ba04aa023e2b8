"""The demo's script, read from samples/demo.toml: what is dropped and asked, and what has to come of it."""

from __future__ import annotations

import tomllib
from pathlib import Path

from pydantic import BaseModel, ConfigDict


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Expected(_Part):
    status: str
    reason: str | None = None


class Answered(_Part):
    name: str
    question: str
    contains: list[str]
    document: str
    page: int | None = None


class Refused(_Part):
    name: str
    kind: str
    question: str


class Update(_Part):
    document: str
    replacement: str
    question: str
    before: str
    after: str


class Delete(_Part):
    document: str
    question: str
    before: str


class Script(_Part):
    """Paths are relative to the script's folder; documents are named as in the inbox."""

    documents: str
    gold: str
    evaluation: str
    statuses: dict[str, Expected]
    answered: list[Answered]
    refused: list[Refused]
    update: Update
    delete: Delete


def read(path: Path) -> Script:
    return Script.model_validate(tomllib.loads(path.read_text(encoding="utf-8")))
