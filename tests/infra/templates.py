"""Synthesised templates, and how tests look into them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from infra.app import make_app
from infra.settings import ENVIRONMENTS, Environment, parse

SKIP_LAYERS = {"aws:cdk:bundling-stacks": []}
Resource = Mapping[str, Any]


@dataclass(frozen=True)
class Templates:
    """Both stacks of one environment as CloudFormation would get them, and the folder with their assets."""

    stateful: Mapping[str, Any]
    stateless: Mapping[str, Any]
    assembly: Path

    def of_type(self, kind: str) -> dict[str, Resource]:
        """Logical id to resource, over both stacks."""
        both = {**self.stateful["Resources"], **self.stateless["Resources"]}
        return {name: resource for name, resource in both.items() if resource["Type"] == kind}

    def one(self, kind: str, prefix: str = "") -> Resource:
        """The properties of the only resource of a type whose logical id starts with `prefix`."""
        (found,) = (r for name, r in self.of_type(kind).items() if name.startswith(prefix))
        return found["Properties"]

    def statements(self, role: str) -> list[Mapping[str, Any]]:
        """What the policies attached to a role allow."""
        policies = self.of_type("AWS::IAM::Policy").values()
        mine = (p["Properties"] for p in policies if any(r["Ref"].startswith(role) for r in p["Properties"]["Roles"]))
        return [statement for policy in mine for statement in policy["PolicyDocument"]["Statement"]]

    def actions(self, role: str) -> set[str]:
        return {action for statement in self.statements(role) for action in as_list(statement["Action"])}


def synthesise(environment: Environment, outdir: Path) -> Templates:
    """The real app without built layers; raises when cdk-nag finds something."""
    make_app(SKIP_LAYERS, environment=environment, outdir=str(outdir)).synth()
    name = f"Ragstone-{environment.name}"
    stacks = (json.loads((outdir / f"{name}-{stack}.template.json").read_text()) for stack in ("Stateful", "Stateless"))
    return Templates(*stacks, assembly=outdir)


def changed(name: str, old: str, new: str) -> Environment:
    """An environment of the repository with one change in its file."""
    text = (ENVIRONMENTS / f"{name}.toml").read_text()
    assert old in text
    return parse(name, text.replace(old, new))


def as_list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def text_of(value: Any) -> str:
    """A CloudFormation value as one searchable string."""
    return json.dumps(value, separators=(",", ":"))
