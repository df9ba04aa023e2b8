"""Accepts findings of cdk-nag beside the resources that cause them, each with its reason."""

from __future__ import annotations

import json
from typing import Any

from aws_cdk import Acknowledgment, Stack, Validations
from constructs import IConstruct


def acknowledge(scope: IConstruct, rules: dict[str, str]) -> None:
    """Accept rules below `scope`; a wildcard in a policy needs the id of exactly that finding."""
    Validations.of(scope).acknowledge(
        *(Acknowledgment(id=f"AwsSolutions-{rule}", reason=reason) for rule, reason in rules.items())
    )


def acknowledge_wildcard(scope: IConstruct, arn: str, path: str = "", *, owner: IConstruct, reason: str) -> None:
    """Accept the resource `<arn><path>` in the policies of `scope`; `owner` is the construct that has the ARN."""
    acknowledge(scope, {f"IAM5[Resource::{shown(arn, scope=scope, owner=owner)}{path}]": reason})


def shown(value: str, *, scope: IConstruct, owner: IConstruct) -> str:
    """A value as cdk-nag writes it in the id of a finding: by its export if it is another stack's."""
    stack = Stack.of(owner)
    imported = stack.node.path != Stack.of(scope).node.path
    return _flat(stack.resolve(stack.export_value(value) if imported else value))


def _flat(node: Any) -> str:
    match node:
        case str():
            return node
        case {"Ref": name}:
            return f"<{name}>"
        case {"Fn::GetAtt": [resource, attribute]}:
            return f"<{resource}.{attribute}>"
        case {"Fn::ImportValue": export}:
            return str(export)
        case {"Fn::Join": [separator, parts]}:
            return str(separator).join(map(_flat, parts))
        case _:
            return json.dumps(node, separators=(",", ":"))
