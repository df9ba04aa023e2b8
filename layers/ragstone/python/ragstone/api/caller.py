"""Who asks: the groups that the gateway's authorizer vouches for."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

REQUEST_CONTEXT = "x-amzn-request-context"
"""Set by the Lambda Web Adapter, which replaces whatever a client sent under this name."""


def groups_of(headers: Mapping[str, str]) -> tuple[str, ...]:
    """The caller's groups: Cognito's, else the IAM principal; nobody's where no authorizer spoke."""
    context: dict[str, Any] = json.loads(headers.get(REQUEST_CONTEXT, "{}"))
    claims = context.get("authorizer", {}).get("claims", {})
    if groups := claims.get("cognito:groups"):
        return tuple(str(groups).split(","))
    principal = context.get("identity", {}).get("userArn")
    return (str(principal),) if principal else ()
