"""Who asks: the groups that the gateway's authorizer vouches for."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

REQUEST_CONTEXT = "x-amzn-request-context"
"""Set by the Lambda Web Adapter, which replaces whatever a client sent under this name."""


def groups_of(headers: Mapping[str, str]) -> tuple[str, ...]:
    """The caller's groups: Cognito's, else the IAM principal; nobody's where no authorizer spoke."""
    written = headers.get(REQUEST_CONTEXT, "{}").encode("latin-1")  # how headers are read; the adapter writes UTF-8
    context: dict[str, Any] = json.loads(written)
    if groups := _part(_part(context, "authorizer"), "claims").get("cognito:groups"):
        return tuple(str(groups).split(","))
    principal = _part(context, "identity").get("userArn")
    return (str(principal),) if principal else ()


def _part(whole: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    return whole.get(name) or {}
