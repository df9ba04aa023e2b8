"""Who asks: the caller and their groups, as the gateway's authorizer vouches for them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

REQUEST_CONTEXT = "x-amzn-request-context"
"""Set by the Lambda Web Adapter, which replaces whatever a client sent under this name."""


def groups_of(headers: Mapping[str, str]) -> tuple[str, ...]:
    """The caller's groups: Cognito's, else the IAM principal and its role; none where no authorizer spoke."""
    context = _context(headers)
    if groups := _part(_part(context, "authorizer"), "claims").get("cognito:groups"):
        return tuple(str(groups).split(","))
    principal = _part(context, "identity").get("userArn")
    return _principals(str(principal)) if principal else ()


def owner_of(headers: Mapping[str, str]) -> str:
    """Whose conversations and budgets these are; everybody is one where no authorizer spoke."""
    context = _context(headers)
    if subject := _part(_part(context, "authorizer"), "claims").get("sub"):
        return f"cognito:{subject}"
    principal = _part(context, "identity").get("userArn")
    return f"iam:{principal}" if principal else "everybody"


def _context(headers: Mapping[str, str]) -> Mapping[str, Any]:
    written = headers.get(REQUEST_CONTEXT, "{}").encode("latin-1")  # how headers are read; the adapter writes UTF-8
    return json.loads(written)


def _principals(arn: str) -> tuple[str, ...]:
    """The principal, and of a role's session the role too: `…:assumed-role/Crew` of `…:assumed-role/Crew/purser`."""
    role, is_session, _ = arn.rpartition("/") if ":assumed-role/" in arn else (arn, "", "")
    return (arn, role) if is_session else (arn,)


def _part(whole: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    return whole.get(name) or {}
