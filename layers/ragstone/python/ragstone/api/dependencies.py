"""What several routes ask of a request before they see it."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, HTTPException, Request

from ragstone.api.caller import groups_of, owner_of


async def only_json(request: Request) -> None:
    """Without it a body of another type is only said to be no dictionary; curl's own default is a form."""
    if "json" not in request.headers.get("content-type", ""):
        raise HTTPException(415, "Send the body as JSON, with the header Content-Type: application/json.")


async def groups(request: Request) -> tuple[str, ...]:
    return groups_of(request.headers)


Groups = Annotated[tuple[str, ...], Depends(groups)]
"""The caller's."""


async def owner(request: Request) -> str:
    return owner_of(request.headers)


Owner = Annotated[str, Depends(owner)]
"""The caller, by a name that is theirs alone."""
