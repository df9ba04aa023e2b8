"""Validation errors as sentences for the person who wrote the input."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import ValidationError

UNKNOWN_KEY = ("extra_forbidden", "unexpected_keyword_argument")


def sentences(error: ValidationError, *, known: Sequence[str]) -> list[str]:
    """One sentence a problem, led by where it is; an unknown key lists the `known` ones."""
    return [
        _sentence(problem["loc"], problem["type"], problem["msg"], known) for problem in error.errors(include_url=False)
    ]


def _sentence(location: tuple[int | str, ...], kind: str, message: str, known: Sequence[str]) -> str:
    where = ".".join(str(part) for part in location)
    said = (
        f"unknown key; known are {', '.join(known)}" if kind in UNKNOWN_KEY else message.removeprefix("Value error, ")
    )
    return f"{where}: {said}" if where else said
